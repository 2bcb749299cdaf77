// `/api/gateway/account`: the page and the tests look at the gateway from behind, and set its balance.

import { z } from 'zod'
import { type Room, readBody, sendJson } from '../http.ts'
import type { Account } from './account.ts'
import type { Requests } from './requests.ts'
import { statusAt, type Task } from './task.ts'
import type { Tasks } from './tasks.ts'

interface Deps {
  readonly account: Account
  readonly tasks: Tasks
  readonly requests: Requests
  readonly now: () => Date
  readonly save: () => Promise<void>
}

const change = z.strictObject({ balance: z.int().nonnegative() })

export function createAccountRoom(deps: Deps): Room {
  return async (req, res, url) => {
    if (url.pathname !== '/api/gateway/account') return false
    if (req.method === 'POST') {
      const wanted = change.safeParse(parse(String(await readBody(req))))
      if (!wanted.success) return answer(400, { error: z.prettifyError(wanted.error) })
      deps.account.setBalance(wanted.data.balance)
      await deps.save()
    }
    return answer(200, look(deps))

    function answer(status: number, body: unknown): true {
      sendJson(res, status, body)
      return true
    }
  }
}

function look({ account, tasks, requests, now }: Deps) {
  const at = now().getTime()
  return {
    ...account.state(),
    requests: requests.list(),
    tasks: tasks.list().map((task) => describe(task, at)),
  }
}

const describe = (task: Task, at: number) => ({
  id: task.id,
  model: task.model,
  prompt: task.prompt,
  status: statusAt(task, at),
  created: new Date(task.createdAt).toISOString(),
  charge: task.charge,
  isSettled: task.isSettled,
  results: task.artifacts.length,
  ...(task.error === undefined ? {} : { error: task.error }),
})

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
