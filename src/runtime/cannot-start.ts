// The error of a start that is impossible until the operator changes something.

/** The message names the setting and says what to do, in one sentence; it contains no secret. */
export class CannotStart extends Error {
  override name = 'CannotStart'
}
