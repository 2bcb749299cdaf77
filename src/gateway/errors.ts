// What can go wrong at the gateway's border. Messages carry the operation and the gateway's own words, never the key.

export abstract class GatewayError extends Error {
  readonly operation: string
  constructor(operation: string, message: string, options?: ErrorOptions) {
    super(`${operation}: ${message}`, options)
    this.operation = operation
  }
}

/** The gateway understood and said no; the same request will be refused again. */
export class GatewayRefused extends GatewayError {
  override name = 'GatewayRefused'
  readonly status: number
  readonly said: string
  constructor(operation: string, status: number, said: string) {
    super(operation, `refused with ${status}: ${said}`)
    this.status = status
    this.said = said
  }
}

/** Our key is missing, wrong or withdrawn. */
export class GatewayUnauthorised extends GatewayError {
  override name = 'GatewayUnauthorised'
}

/** Our account at the gateway has run dry. */
export class GatewayOutOfBalance extends GatewayError {
  override name = 'GatewayOutOfBalance'
}

/** Certainly not done: refused connection, 429 or 503. May be tried again. */
export class GatewayUnavailable extends GatewayError {
  override name = 'GatewayUnavailable'
  readonly retryAfterMs: number | undefined
  constructor(operation: string, message: string, retryAfterMs?: number, options?: ErrorOptions) {
    super(operation, message, options)
    this.retryAfterMs = retryAfterMs
  }
}

/** Told to slow down. */
export class GatewayRateLimited extends GatewayUnavailable {
  override name = 'GatewayRateLimited'
}

/** The request went out and no answer that can be understood came back: it may or may not have been done. */
export class GatewayUnknownOutcome extends GatewayError {
  override name = 'GatewayUnknownOutcome'
}

/** An answer came that is not what the specification says: it may or may not have been done. */
export class GatewayMalformed extends GatewayUnknownOutcome {
  override name = 'GatewayMalformed'
}

/**
 * For `catch`: an error of the gateway becomes a value.
 * @throws every other error
 */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  throw error
}
