// What the answers of the gateway say about our key. A wrong key shows whether the gateway checks keys at all.

import { type GatewayError, GatewayRefused, GatewayUnauthorised } from '../../gateway/errors.ts'

export const isKeyRefused = (answer: unknown): boolean =>
  answer instanceof GatewayUnauthorised || (answer instanceof GatewayRefused && answer.status === 403)

export const withCause = ({ message, cause }: GatewayError): string =>
  cause instanceof Error ? `${message}: ${cause.message}` : message
