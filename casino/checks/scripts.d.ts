// What the scripts in static/js know of each other, of the page and of htmx. Read by the type checker alone
// (`make check`); it is not served.

/** What the scripts of a page share, as `window.floor`. Each part is there once its script has run. */
interface Floor {
  // prefs.js
  /** What this browser remembers under a name, or with "tab" this tab alone; null if nothing. Neither ever throws. */
  recall(name: string, where?: "tab"): string | null;
  remember(name: string, value: string, where?: "tab"): void;
  /** What this tab remembers goes: its login has ended. */
  forget(): void;

  arithmetic: Arithmetic;

  // proof.js
  proof: Proof;

  // page.js
  /** The house's clock, in milliseconds since 1970. */
  now(): number;
  setNow(epoch: number): void;
  /** Whether keys stake. */
  keys: boolean;

  // live.js
  /** Says something to the house; the ref of its answer, or null while the line is down. */
  send(message: Message): string | null;
  online(): boolean;

  // sound.js
  play(sound: "bell" | "card" | "chip" | "dice" | "drop" | "roll" | "tick" | "turn" | "turn_is_yours" | "win"): void;

  // presence.js
  /** How loud sounds and voice are, from 0 to 1. */
  volume: number;
  /** The SHA-256 of a text, in hexadecimal; where there is WebCrypto. */
  sha256(text: string): Promise<string>;
  /** The finger that lies on the felt, and came down before the scripts that look for it. */
  held?: PointerEvent | null;

  // fly.js
  /** For so many milliseconds something moves: what it decides is shown afterwards. */
  holds?(milliseconds: number): void;
  /** It has come to rest: what waits is shown. */
  shows?(): void;
  /** A drawing slides from here to there; nothing does if one of them is not on the page. */
  slide(from: Element | null, to: Element | null, drawing: Element | null, milliseconds?: number): void;
  /** The middle of an element on the screen, and how wide it is. */
  centre(element: Element): Point & { width: number };

  // table.js
  /** A chip on each of these spots. */
  lay(keys: string[]): void;
  /** Says something here, without the house: seen, and read to a screen reader. */
  tell?(text: string, spot?: string): void;
  /** A button that has just come under a finger rests for a moment, or until then (`performance.now()`); until when. */
  rest(button: HTMLElement, until?: number): number;
  /** Whether it rests, or did when this event came. */
  rests(button: HTMLElement, event: Event): boolean;
  /** What is known and done at the table, for deciding.js and raising.js. */
  staking: Staking;
  /** On a kiosk: shows the sheet of this name, and no other; none of them for "". */
  paper?(name: string): void;

  // deciding.js, where cards are dealt
  /** Choices that come next rest for a moment, whichever they are. */
  restAnew?(): void;

  // spots.js
  point(target: HTMLElement | null): void;

  // kiosk-demonstration.js
  /** Puts what a template has in its place on the felt. */
  put(template: HTMLTemplateElement): void;
}

/** What table.js knows of the round (`rail`) and of the bettor (`purse`), as the page says it, and what it does. */
interface Staking {
  rail(): DOMStringMap;
  purse(): DOMStringMap;
  /** Of the bettor; null if they stand. */
  seat(): number | null;
  bets(): Bet[];
  betting(): boolean;
  /** The chip that is chosen, in cents. */
  chip(): number;
  spotOf(key: string): HTMLElement | null;
  /** Says something to the house, of these spots; null if the line is down. */
  send(message: Message, about?: string | string[]): string | null;
  /** What was said here goes. */
  hush(): void;
}

/** What the scripts calculate (arithmetic.js). Amounts are cents, times are milliseconds since 1970, angles are degrees. */
interface Arithmetic {
  /** How a language writes amounts, in credits. */
  creditsIn(language: string): (cents: number | string) => string;
  sum(amounts: number[]): number;
  /** What one gesture lays, as it is written beside the finger: "3 × 50 = 150", or the sum alone. */
  tape(amounts: number[], language: string): string;
  /** One stake for each spot: what has been laid there, one press after the other, adds up. */
  perSpot(bets: Stake[]): Stake[];
  /** A part of what is offered, in whole credits between least and most; `leastShare` is the share that gives least. */
  partOf(least: number, most: number, share: number, leastShare: number): number;
  /** What to say of the raise: that it cannot be paid, could not after one more chip, or what it costs. */
  raiseAfter(about: { ante: number; chip: number; most: number; times: number; balance: number }): Raise;
  /** What a message of a choice decides, and where: which deed, on which box and hand. */
  asks(message: string | undefined): string;
  /** What the dealer calls after this news: how the round has ended, or else the phase that has begun; "" if nothing. */
  calls(before: Called, now: Called): string;
  /** The voice of this device that speaks a language best, as Macau speaks it; null if none speaks it. */
  voiceFor<V extends { lang: string; localService: boolean }>(language: string, voices: V[]): V | null;
  /** Seconds that have begun, never below 0. */
  secondsLeft(end: number, now: number): number;
  /** What is left of a span, between 0 and 1; 1 if it has no length. */
  shareLeft(end: number, now: number, span: number): number;
  /**
   * Milliseconds until a lost line is opened again, by a `chance` from 0 to 1. A process that ends loses all its lines at
   * once: the first attempts are spread over a second, later ones are ever rarer.
   */
  comeBackAfter(attempt: number, chance: number): number;
  /** How often ten minutes have passed. */
  strikes(began: number, now: number): number;
  pocketAngle(pockets: number[], number: number | string): number;
  /** A number with two on either side. */
  neighbours(pockets: number[], number: number | string): number[];
  /** How far plate and ball have turned so long after the throw; `turns` is 1 or -1. */
  spin(milliseconds: number, turns: number): Spin;
  /** How long the ball falls that has rolled so long: it is seen for at least four seconds. */
  fall(rolled: number): number;
  /** Where they stop: the plate upright, at least a quarter further; the ball on its pocket, at least a turn further. */
  rest(from: Spin, pocket: number, turns: number): Spin;
  /** What a purse shows on its way from one balance to another, after this share of it: whole credits, the end exactly. */
  counts(from: number, to: number, share: number): number;
  /** The ends of the pieces of a way, none longer than this. */
  pieces(from: Point, to: Point, length: number): Point[];
}

/** The verifier of rounds (proof.js). */
interface Proof {
  /** What becomes of each claim of a bundle, given as text, if `house` is the address of its house. `noted` is a bundle
   * of the same round that somebody has kept, or empty. */
  verify(text: string, house: string, noted: string): Promise<Claim[]>;
}

/** One thing that a bundle claims: which (`seed`), of what (`pack 31`), and what became of it. */
interface Claim {
  code: string;
  of: string;
  state: "proven" | "not opened yet" | "not checked" | "BROKEN";
  detail: string;
}

interface Raise {
  says: "" | "cannot" | "would" | "costs";
  ante: number;
  /** What would be left for the raise. */
  rest: number;
}

/** What can be called of a table. */
interface Called {
  round: string;
  phase: string;
  pace: string;
  words: string;
  result: string;
}

interface Spin {
  plate: number;
  ball: number;
}

/** What a page says to the house; tables/live/messages.py takes it apart. */
interface Message {
  do: string;
  [part: string]: unknown;
}

/** What a browser remembers of its chain (links.js): which link is offered, and for which list the last was revealed. */
interface Chain {
  innermost: string;
  at: number;
  number: number;
  commitment: string;
}

/** A pack whose cards are checked (seals.js): what the texts of its cards begin with; its leaves, once they have come. */
interface Pack {
  named: string;
  leaves: string[] | null;
}

/** A stake, in cents, on the spot with this key. */
interface Stake {
  key: string;
  amount: number;
}

/** Bets that are laid for several rounds (repeating.js): `nets` is what each round in which they were laid came to, `most`
 * the loss that no further round may pass. */
interface Repeating {
  bets: Stake[];
  left: number;
  most: number;
  round: string;
  nets: Map<string, number>;
  notice: HTMLElement;
}

/** A bet of the viewer's own, as the data of #wallet has it. */
interface Bet extends Stake {
  spot: string;
  carried: boolean;
  may: boolean;
}

/** A card that the viewer holds and may peel (squeeze.js). */
interface Held {
  round: number;
  hand: string;
  card: number;
}

/** The same, bent from an edge by so many steps. */
interface Bent extends Held {
  edge: string;
  step: number;
}

/** A card that a pointer has gripped: where, how large the card is, and from which edge it is peeled; "" if that is open. */
interface Grip {
  pointer: number;
  card: Held;
  edge: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Point {
  x: number;
  y: number;
}

/** What the scripts of a kiosk share, as `window.kiosk`. */
interface Kiosk {
  go(url: string): void;
  begin(): Promise<void>;
  asked(url: string, about: RequestInit): Promise<Response>;
  send(form: HTMLFormElement, button: HTMLElement | null): Promise<void>;
  /** Makes the felt as large as its place allows, within `most`. */
  fit(felt: HTMLElement, most: number): void;
  online(): boolean;
  touch(): void;
  farewell(): Promise<void>;
}

interface Window {
  floor: Floor;
  kiosk: Kiosk;
  htmx: Htmx;
  webkitAudioContext: typeof AudioContext;
}

/** The parts of htmx and its WebSocket extension that we use. */
interface Htmx {
  createWebSocket(url: string): WebSocket;
  config: { wsReconnectDelay(retries: number): number };
  ajax(verb: string, path: string, into: { target: Element; swap: string }): Promise<void>;
}
declare const htmx: Htmx;

interface SocketWrapper {
  queue: unknown[];
  reconnect(): void;
  sendImmediately(message: string, element: HTMLElement): void;
}

/** What kiosk-worker.js is in the browser: a service worker. */
interface KioskWorker {
  location: Location;
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", hear: (event: WorkerEvent) => void): void;
  addEventListener(type: "fetch", hear: (event: FetchEvent) => void): void;
}
interface WorkerEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface FetchEvent extends WorkerEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface OurEvents {
  "floor:news": CustomEvent<null>;
  "floor:line": CustomEvent<{ state: string }>;
  "floor:sound": CustomEvent<{ on: boolean; asked: boolean }>;
  "floor:revealed": CustomEvent<null>;
  "floor:told": CustomEvent<{ before: number }>;
  "floor:voice": CustomEvent<{ on: boolean; asked: boolean }>;
  "floor:call": CustomEvent<string>;
  "floor:own-card": CustomEvent<Bent & { do: string }>;
  "floor:pointed": CustomEvent<{ target: HTMLElement | null; tell(text: string, css?: string): void }>;
  "htmx:afterRequest": CustomEvent<unknown>;
  "htmx:oobBeforeSwap": CustomEvent<{ target: HTMLElement; fragment: DocumentFragment }>;
  "htmx:oobErrorNoTarget": CustomEvent<{ content: HTMLElement }>;
  "htmx:wsAfterMessage": CustomEvent<unknown>;
  "htmx:wsBeforeMessage": CustomEvent<{ message: string }>;
  "htmx:wsBeforeSend": CustomEvent<unknown>;
  "htmx:wsClose": CustomEvent<{ event: CloseEvent; socketWrapper: SocketWrapper }>;
  "htmx:wsConfigSend": CustomEvent<unknown>;
  "htmx:wsOpen": CustomEvent<{ socketWrapper: SocketWrapper }>;
}
interface DocumentEventMap extends OurEvents {}
interface HTMLElementEventMap extends OurEvents {}

// What our selectors find is HTML, unless a type says that it is part of a drawing.
interface ParentNode {
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}
interface Element {
  cloneNode(deep?: boolean): this;
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}

// What our handlers hear of happens to elements.
interface EventTarget {
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
  matches(selectors: string): boolean;
}

// Fields of a form by their names.
interface HTMLFormControlsCollection {
  // deno-lint-ignore no-explicit-any
  [name: string]: any;
}
