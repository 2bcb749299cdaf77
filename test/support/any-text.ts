// Arbitrary texts for property tests.

import fc from 'fast-check'

/** Any code point without the surrogates. */
const codePoint = fc.nat(0x10_ffff - 0x800).map((at) => (at < 0xd800 ? at : at + 0x800))

/**
 * A text of any characters; its lengths count code points. Like `fc.string({ unit: 'binary' })`, which takes a second of processor time to
 * prepare a map of all code points.
 */
export const anyText = (lengths: { readonly minLength?: number; readonly maxLength?: number } = {}) =>
  fc.oneof(
    { weight: 9, arbitrary: fc.array(codePoint, lengths).map((points) => String.fromCodePoint(...points)) },
    // fc.string also produces words such as `__proto__`.
    { weight: 1, arbitrary: fc.string(lengths) },
  )
