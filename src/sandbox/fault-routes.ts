// `/api/faults`: GET lists the scripted faults, POST adds one, DELETE removes all. Each answers with the list.

import { z } from 'zod'
import { type Faults, faultSchema } from './faults.ts'
import { type Handler, parseJson, readBody, sendJson } from './http.ts'

export function createFaultRoutes(faults: Faults): Handler {
  return async (req, res, { pathname }) => {
    if (pathname !== '/api/faults') return false
    if (req.method === 'DELETE') faults.clear()
    if (req.method === 'POST') {
      const fault = faultSchema.safeParse(parseJson(String(await readBody(req))))
      if (!fault.success) {
        sendJson(res, 400, { error: z.prettifyError(fault.error) })
        return true
      }
      faults.add(fault.data)
    }
    sendJson(res, 200, faults.list())
    return true
  }
}
