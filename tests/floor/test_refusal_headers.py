"""A refusal before anything is read says what every answer says: no frame, no other type, nothing kept (ASVS 3.4)."""

from __future__ import annotations

from .test_protocol import Port, request, said_to, server, status_of

__all__ = ["server"]


async def test_a_refusal_in_the_protocol_says_what_every_answer_says(server: Port) -> None:
    for head, status in ((request("POST", "Content-Length: 200000000"), 413), (request("TRACE"), 405)):
        answer = (await said_to(server, head)).lower()
        assert status_of(answer) == status
        assert b"content-security-policy: default-src 'none'; frame-ancestors 'none'\r\n" in answer
        assert b"x-content-type-options: nosniff\r\n" in answer
        assert b"content-type: text/plain; charset=utf-8\r\n" in answer
        assert b"cache-control: no-store\r\n" in answer
