// A minimal gateway: accepts every order, calls back, and returns the same song for all.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { z } from 'zod'
import { sendJson, serve } from './telegram.ts'

const completeAfterMs = 300
const song = readFileSync(join(import.meta.dirname, 'song.mp3'))
const order = z.object({ callBackUrl: z.string() })

export async function startGateway() {
  const agent = new Agent({ connections: 50 })
  const running = new Set<string>()
  let orders = 0

  const take = (body: string): string => {
    orders += 1
    const id = `task-${orders}`
    const { callBackUrl } = order.parse(JSON.parse(body))
    const complete = () => {
      running.delete(id)
      callBack(agent, callBackUrl, id)
    }
    running.add(id)
    setTimeout(complete, completeAfterMs)
    return JSON.stringify({ id, object: 'audio.task', status: 'queued', model: 'm', created: 1 })
  }

  const serving = await serve((req, res, body) => {
    const { url = '', method = '' } = req
    if (method === 'POST') return sendJson(res, take(body.toString()), 202)
    if (url === '/song.mp3') return void res.writeHead(200, { 'content-type': 'audio/mpeg' }).end(song)
    const id = url.slice(url.lastIndexOf('/') + 1)
    const status = running.has(id) ? 'processing' : 'completed'
    const data = status === 'completed' ? [{ url: `http://${req.headers.host}/song.mp3` }] : []
    sendJson(res, JSON.stringify({ id, object: 'audio.task', status, model: 'm', created: 1, data }))
  })
  return {
    url: serving.url,
    async close() {
      await agent.destroy()
      await serving.close()
    },
  }
}

function callBack(dispatcher: Agent, url: string, id: string): void {
  const body = JSON.stringify({ id, status: 'completed' })
  request(url, { dispatcher, method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
    (answer) => answer.body.dump(),
    () => undefined,
  )
}
