/* A disk at the edge of the process: stands before the C library (LD_PRELOAD) and fails, kills or forgets on request.
 *
 * Only what happens below one directory counts, and only what changes it: opening a file that may be made, writing,
 * cutting, renaming and removing files, and waiting for the disk. The n-th of these, or the n-th on a file whose name
 * holds a given word, is where something happens. Meanwhile a log is kept of what each of them replaced and of what was
 * waited for, from which the harness makes a disk that lost its power: see cut.py.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NOTHING, KILL_BEFORE, KILL_WITHIN, KILL_AFTER, FAIL_ONCE, FAIL_FROM_THEN_ON, WRITE_SHORT };

static char folder[PATH_MAX];
static size_t folder_length;
static int watching, action, failure, log_handle = -1;
static long countdown, happened, counted;
static char word[64];
static int saved;
static char saved_folder[PATH_MAX];
static double clock_offset;

#define REAL(name, type, ...)                                              \
    static type (*real)(__VA_ARGS__);                                      \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static ssize_t real_write(int handle, const void *data, size_t length)
{
    REAL("write", ssize_t, int, const void *, size_t);
    return real(handle, data, length);
}

static ssize_t real_pwrite(int handle, const void *data, size_t length, off_t at)
{
    REAL("pwrite64", ssize_t, int, const void *, size_t, off_t);
    return real(handle, data, length, at);
}

static int is_below(const char *path)
{
    return watching && !strncmp(path, folder, folder_length) && path[folder_length] == '/';
}

static int is_watched(int handle, char *path)
{
    char link[64];
    if (!watching || handle < 3) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_below(path) || !strcmp(path, folder);
}

static void die(void)
{
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/* What is to happen at this step, if it is the one. */
static int take_action(const char *path)
{
    counted++;
    if (action == NOTHING || (*word && !strstr(path + folder_length, word))) return NOTHING;
    if (countdown > 0 && --countdown > 0) return NOTHING;
    if (action == FAIL_FROM_THEN_ON) {
        happened++;
        return action;
    }
    if (happened) return NOTHING;
    happened++;
    return action;
}

struct head {
    char kind;
    uint64_t inode, at, length, size;
    uint32_t name, other, data;
} __attribute__((packed));

static void log_change(char kind, uint64_t inode, uint64_t at, uint64_t length, uint64_t size, const char *name,
                       const char *other, const void *data, size_t data_length)
{
    if (log_handle < 0) return;
    struct head head = {kind, inode, at, length, size, strlen(name), strlen(other), data_length};
    size_t all = sizeof head + head.name + head.other + data_length;
    char *bytes = malloc(all), *end = bytes;
    end = mempcpy(end, &head, sizeof head);
    end = mempcpy(end, name, head.name);
    end = mempcpy(end, other, head.other);
    if (data_length) memcpy(end, data, data_length);
    if (real_write(log_handle, bytes, all) != (ssize_t)all) abort();
    free(bytes);
}

static void log_bytes(char kind, int handle, const char *path, uint64_t at, uint64_t length)
{
    struct stat status;
    if (log_handle < 0 || fstat(handle, &status)) return;
    uint64_t size = status.st_size, from = at < size ? at : size;
    uint64_t until = kind == 'T' ? size : at + length < size ? at + length : size;
    size_t old = until > from ? until - from : 0;
    char own[64], *before = malloc(old + 1);
    snprintf(own, sizeof own, "/proc/self/fd/%d", handle);
    watching = 0;
    int reader = old ? open(own, O_RDONLY | O_CLOEXEC) : -1;
    if (old && (reader < 0 || pread(reader, before, old, from) != (ssize_t)old)) abort();
    if (reader >= 0) close(reader);
    watching = 1;
    log_change(kind, status.st_ino, at, length, size, path, "", before, old);
    free(before);
}

static void log_name(char kind, const char *path, const char *to, const char *replaced)
{
    char kept[PATH_MAX + 16] = "";
    if (log_handle < 0) return;
    if (!access(replaced, F_OK)) {
        snprintf(kept, sizeof kept, "%s/%d", saved_folder, saved++);
        if (link(replaced, kept)) abort();
    }
    char both[2 * PATH_MAX];
    snprintf(both, sizeof both, "%s\n%s", to, kept);
    log_change(kind, 0, 0, 0, 0, path, both, "", 0);
}

void disk_watch(const char *path, const char *log, const char *kept)
{
    snprintf(folder, sizeof folder, "%s", path);
    folder_length = strlen(folder);
    snprintf(saved_folder, sizeof saved_folder, "%s", kept);
    saved = 0;
    log_handle = *log ? open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    watching = 1;
}

void disk_arm(int what, long after, const char *on, int code)
{
    action = what, countdown = after, failure = code, happened = 0;
    snprintf(word, sizeof word, "%s", on);
}

long disk_happened(void) { return happened; }
long disk_counted(void) { return counted; }
void disk_set_clock(double seconds) { clock_offset = seconds; }

/* A step that is no writing of bytes: fails, or dies before or after. */
#define STEP(path, log, call)                                              \
    int what = take_action(path);                                          \
    if (what == KILL_BEFORE || what == KILL_WITHIN) die();                 \
    if (what == FAIL_ONCE || what == FAIL_FROM_THEN_ON) {                  \
        errno = failure;                                                   \
        return -1;                                                         \
    }                                                                      \
    log;                                                                   \
    int result = call;                                                     \
    if (what == KILL_AFTER) die();                                         \
    return result

static ssize_t write_step(int handle, const char *path, const void *data, size_t length, off_t at, int moving)
{
    int what = take_action(path);
    size_t part = length;
    if (what == KILL_BEFORE) die();
    if (what == FAIL_ONCE || what == FAIL_FROM_THEN_ON) {
        errno = failure;
        return -1;
    }
    if ((what == KILL_WITHIN || what == WRITE_SHORT) && length > 1) part = 1 + (length - 1) * (counted % 7) / 7;
    log_bytes('W', handle, path, at, part);
    ssize_t result = moving ? real_write(handle, data, part) : real_pwrite(handle, data, part, at);
    if (what == KILL_WITHIN || what == KILL_AFTER) die();
    return result;
}

ssize_t write(int handle, const void *data, size_t length)
{
    char path[PATH_MAX];
    if (!is_watched(handle, path)) return real_write(handle, data, length);
    return write_step(handle, path, data, length, lseek(handle, 0, SEEK_CUR), 1);
}

ssize_t pwrite64(int handle, const void *data, size_t length, off_t at)
{
    char path[PATH_MAX];
    if (!is_watched(handle, path)) return real_pwrite(handle, data, length, at);
    return write_step(handle, path, data, length, at, 0);
}

ssize_t pwrite(int handle, const void *data, size_t length, off_t at) { return pwrite64(handle, data, length, at); }

int ftruncate64(int handle, off_t length)
{
    char path[PATH_MAX];
    REAL("ftruncate64", int, int, off_t);
    if (!is_watched(handle, path)) return real(handle, length);
    STEP(path, log_bytes('T', handle, path, length, 0), real(handle, length));
}

int ftruncate(int handle, off_t length) { return ftruncate64(handle, length); }

static int sync_step(int handle, const char *path, int (*real)(int))
{
    struct stat status;
    int what = take_action(path);
    if (what == KILL_BEFORE || what == KILL_WITHIN) die();
    if (what == FAIL_ONCE || what == FAIL_FROM_THEN_ON) {
        errno = failure;
        return -1;
    }
    int result = real(handle);
    if (!result && !fstat(handle, &status))
        log_change(S_ISDIR(status.st_mode) ? 'D' : 'S', status.st_ino, 0, 0, 0, path, "", "", 0);
    if (what == KILL_AFTER) die();
    return result;
}

int fsync(int handle)
{
    char path[PATH_MAX];
    REAL("fsync", int, int);
    return is_watched(handle, path) ? sync_step(handle, path, real) : real(handle);
}

int fdatasync(int handle)
{
    char path[PATH_MAX];
    REAL("fdatasync", int, int);
    return is_watched(handle, path) ? sync_step(handle, path, real) : real(handle);
}

static int open_step(const char *path, int flags, int mode)
{
    REAL("open64", int, const char *, int, ...);
    if (!is_below(path) || !(flags & (O_CREAT | O_TRUNC))) return real(path, flags, mode);
    int what = take_action(path), is_new = access(path, F_OK) != 0;
    if (what == KILL_BEFORE || what == KILL_WITHIN) die();
    if (what == FAIL_ONCE || what == FAIL_FROM_THEN_ON) {
        errno = failure;
        return -1;
    }
    if (!is_new && flags & O_TRUNC) {
        int old = real(path, O_RDWR | O_CLOEXEC, 0);
        if (old >= 0) {
            log_bytes('T', old, path, 0, 0);
            close(old);
        }
    }
    int handle = real(path, flags, mode);
    if (is_new && handle >= 0) log_change('C', 0, 0, 0, 0, path, "", "", 0);
    if (what == KILL_AFTER) die();
    return handle;
}

#define MODE(flags)                                                        \
    int mode = 0;                                                          \
    if (flags & O_CREAT) {                                                 \
        va_list rest;                                                      \
        va_start(rest, flags);                                             \
        mode = va_arg(rest, int);                                          \
        va_end(rest);                                                      \
    }

int open64(const char *path, int flags, ...)
{
    MODE(flags);
    return open_step(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    MODE(flags);
    return open_step(path, flags, mode);
}

int rename(const char *from, const char *to)
{
    REAL("rename", int, const char *, const char *);
    if (!is_below(to)) return real(from, to);
    STEP(to, log_name('R', from, to, to), real(from, to));
}

int unlink(const char *path)
{
    REAL("unlink", int, const char *);
    if (!is_below(path)) return real(path);
    STEP(path, log_name('U', path, "", path), real(path));
}

int clock_gettime(clockid_t which, struct timespec *now)
{
    REAL("clock_gettime", int, clockid_t, struct timespec *);
    int result = real(which, now);
    if (!result && which == CLOCK_REALTIME) now->tv_sec += (time_t)clock_offset;
    return result;
}
