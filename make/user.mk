##@ To try it

.PHONY: run room

run: $(READY)  ## start a table on simulated devices, with its page (PORT=8081)
	$(BIN)/tablectl run --simulate $(and $(PORT),--port $(PORT))

# With TABLES=3 fewer tables, NODES=1 one server of NATS, PORT=9000 other ports; what the room has learned stays in var/room.
room: $(READY)  ## a whole room on this machine: twelve simulated tables, brokers, database, pages
	$(BIN)/tablectl room showroom var/room --tables $(or $(TABLES),12) --nodes $(or $(NODES),3) --port $(or $(PORT),8090) $(and $(TOURNAMENT),--tournament $(TOURNAMENT))
