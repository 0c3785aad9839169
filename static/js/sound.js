// @ts-check
// Card, chip, dice, bell and win, made here with Web Audio. Off until switched on.
(function () {
  "use strict";
  const floor = window.floor;
  let on = false;
  /** @type {AudioContext | null} */
  let audio = null;

  function wake() {
    if (!on) return null;
    if (!audio) {
      const Context = window.AudioContext || window.webkitAudioContext;
      if (!Context) return null;
      audio = new Context();
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
    oscillator.connect(gain).connect(audio.destination);
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
    source.connect(filter).connect(gain).connect(audio.destination);
    source.start(at);
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
    win: (at) => [523.25, 659.25, 783.99, 1046.5].forEach((f, i) => tone(f, at + i * 0.09, 0.5, 0.09)),
  };

  floor.play = function (name) {
    if (on && !document.hidden && wake()) sounds[name]?.(audio.currentTime + 0.01);
  };

  /** @param {CustomEvent<{ on: boolean; asked: boolean }>} event */
  function switched(event) {
    on = event.detail.on;
    if (on && event.detail.asked) floor.play("chip");
  }
  document.addEventListener("floor:sound", switched);
  on = floor.recall("sound") === "on";
  document.addEventListener("pointerdown", wake, { once: true });
  document.addEventListener("keydown", wake, { once: true });
})();
