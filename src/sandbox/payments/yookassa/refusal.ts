// Error answers of the API: `{"type": "error", "code": "...", "description": "...", "parameter": "..."}`.

export class YookassaRefusal extends Error {
  override name = 'YookassaRefusal'
  readonly status: number
  readonly code: string
  readonly parameter: string | undefined
  constructor(status: number, code: string, description: string, parameter?: string) {
    super(description)
    this.status = status
    this.code = code
    this.parameter = parameter
  }
}

export const refusalView = ({ code, message, parameter }: YookassaRefusal, id: string) => ({
  type: 'error',
  id,
  code,
  description: message,
  ...(parameter ? { parameter } : {}),
})
