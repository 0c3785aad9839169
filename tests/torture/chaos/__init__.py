"""A real house under real faults: processes, sockets, a database and a Redis that are killed, stopped and cut off."""
