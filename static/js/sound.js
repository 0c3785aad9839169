// @ts-check
// Card, chip, dice, ball, bell and win, made here with Web Audio. Off until switched on; at a table presence.js loads it
// then.
(function () {
  "use strict";
  const floor = window.floor;
  let on = false;
  /** @type {AudioContext | null} */
  let audio = null;
  /** @type {GainNode} */
  let master;

  function wake() {
    if (!on) return null;
    if (!audio) {
      const Context = window.AudioContext || window.webkitAudioContext;
      if (!Context) return null;
      audio = new Context();
      master = audio.createGain();
      master.connect(audio.destination);
    }
    if (audio.state === "suspended") audio.resume().catch(() => {});
    return audio;
  }

  /**
   * @param {number} frequency
   * @param {number} at
   * @param {number} length
   * @param {number} loudness
   * @param {OscillatorType} [kind]
   */
  function tone(frequency, at, length, loudness, kind) {
    const oscillator = audio.createOscillator();
    const gain = audio.createGain();
    oscillator.type = kind || "sine";
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(loudness, at + 0.006);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
    oscillator.connect(gain).connect(master);
    oscillator.start(at);
    oscillator.stop(at + length);
  }

  /**
   * @param {number} at
   * @param {number} length
   * @param {number} loudness
   * @param {number} frequency
   */
  function rustle(at, length, loudness, frequency) {
    const samples = Math.ceil(audio.sampleRate * length);
    const buffer = audio.createBuffer(1, samples, audio.sampleRate);
    const data = buffer.getChannelData(0);
    for (let i = 0; i < samples; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / samples) ** 2;
    const source = audio.createBufferSource();
    const filter = audio.createBiquadFilter();
    const gain = audio.createGain();
    source.buffer = buffer;
    filter.type = "bandpass";
    filter.frequency.value = frequency;
    filter.Q.value = 0.8;
    gain.gain.value = loudness;
    source.connect(filter).connect(gain).connect(master);
    source.start(at);
  }

  // The ball on its rim: a rustle that beats as the wheel turns, until it drops.
  /** @type {AudioBufferSourceNode | null} */
  let rolling = null;
  const LONGEST = 60; // seconds

  function roll() {
    still();
    const buffer = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
    const data = buffer.getChannelData(0);
    for (let i = 0; i < data.length; i += 1) {
      const beat = 0.6 + 0.4 * Math.sin((14 * Math.PI * i) / data.length);
      data[i] = (Math.random() * 2 - 1) * 0.12 * beat;
    }
    const filter = audio.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.value = 900;
    rolling = audio.createBufferSource();
    rolling.buffer = buffer;
    rolling.loop = true;
    rolling.connect(filter).connect(master);
    rolling.start();
    rolling.stop(audio.currentTime + LONGEST);
  }

  function still() {
    rolling?.stop();
    rolling = null;
  }

  const sounds = {
    /** @param {number} at */
    card: (at) => rustle(at, 0.11, 0.3, 2600),
    /** @param {number} at */
    turn: (at) => rustle(at, 0.07, 0.22, 1500),
    /** @param {number} at */
    chip: (at) => {
      tone(3100, at, 0.05, 0.1, "triangle");
      tone(4350, at + 0.028, 0.05, 0.07, "triangle");
    },
    /** @param {number} at */
    dice: (at) => [0, 0.3, 0.6].forEach((later) => rustle(at + later, 0.16, 0.3, 1100)),
    /** @param {number} at */
    bell: (at) => [880, 1320, 2217].forEach((f, i) => tone(f, at, 0.9 - i * 0.2, 0.09 / (i + 1))),
    /** @param {number} at */
    tick: (at) => tone(1400, at, 0.06, 0.06, "square"),
    roll,
    /** @param {number} at */
    drop: (at) => {
      still();
      [0, 0.14, 0.25, 0.33].forEach((later, i) => tone(1900 - 150 * i, at + later, 0.05, 0.1 / (i + 1), "triangle"));
    },
    /** @param {number} at */
    turn_is_yours: (at) => [659.25, 880].forEach((f, i) => tone(f, at + i * 0.16, 0.4, 0.12)),
    /** @param {number} at */
    win: (at) => [523.25, 659.25, 783.99, 1046.5].forEach((f, i) => tone(f, at + i * 0.09, 0.5, 0.09)),
  };

  floor.play = function (name) {
    if (!on || (document.hidden && name !== "turn_is_yours") || !wake()) return;
    master.gain.value = floor.volume ?? 1;
    sounds[name]?.(audio.currentTime + 0.01);
  };
  document.addEventListener("visibilitychange", () => document.hidden && still());

  /** @param {CustomEvent<{ on: boolean; asked: boolean }>} event */
  function switched(event) {
    on = event.detail.on;
    if (!on) still();
    if (on && event.detail.asked) floor.play("chip");
  }
  document.addEventListener("floor:sound", switched);
  on = floor.recall("sound") === "on";
  document.addEventListener("pointerdown", wake, { once: true });
  document.addEventListener("keydown", wake, { once: true });
})();
