// Handles the creation and polling of tasks, and the synchronous results of images and speech.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Artifacts, askedOf, filesOf } from './artifacts.ts'
import { type Body, problemOf, refuse, sendJson, unreachable } from './http.ts'
import { type MediaModel, mediaModels } from './models.ts'
import type { Personality } from './personality.ts'
import type { Fault, Script } from './script.ts'
import { newTaskId, type State, sendCallback, type Task, taskBody } from './tasks.ts'

/** The time that a task spends in each state, in milliseconds. */
const stepMs = 25

export function createMedia(script: Script, artifacts: Artifacts, clock: { now(): Date }) {
  const tasks = new Map<string, Task>()
  const seconds = () => Math.floor(clock.now().getTime() / 1000)

  async function create(request: IncomingMessage, response: ServerResponse, body: Body): Promise<void> {
    const model = mediaModels.find(({ id, path }) => id === body.model && path === request.url)
    const personality = script.media(body.model)
    const problem = model
      ? (problemOf(model.fields, body) ?? (await unreachable(body)))
      : `no model ${body.model} at ${request.url}`
    const fault = script.takeFault(body.model)
    script.seen.push({ operation: 'media', model: body.model, body, problem })
    if (!model || problem !== undefined) return refuse(response, personality.errors, 400, problem ?? '')
    if (fault?.kind === 'refuse') return refuse(response, personality.errors, fault.status, fault.words)
    if (!fault && isAnsweredNow(model, body, personality)) return answerNow(response, model, body)
    const files = await filesOf(personality.files, model.kind, askedOf(model, body))
    const urls = files.map((file) => addressOf(response, artifacts.store(file, personality)))
    const task = newTask(model, personality, urls, endOf(fault))
    await run(task, response, callbackOf(model, body), fault?.kind === 'lose')
  }

  function newTask(
    model: MediaModel,
    personality: Personality,
    urls: readonly string[],
    ends: Task['ends'],
  ): Task {
    const id = newTaskId(personality.ids)
    const task: Task = { id, model, personality, urls, ends, created: seconds(), state: 'queued' }
    tasks.set(String(id), task)
    script.tasks.push(task)
    return task
  }

  /** Answers with the result: "Synchronous image result" and "synchronous speech result". */
  async function answerNow(response: ServerResponse, model: MediaModel, body: Body): Promise<void> {
    const personality = script.media(model.id)
    // A binary answer contains one sound, so the personality's number of files does not apply.
    const way = model.kind === 'audio' ? 'asked' : personality.files
    const files = await filesOf(way, model.kind, askedOf(model, body))
    const [first] = files
    if (model.kind === 'audio' && first) {
      // "The Content-Type is one of audio/mpeg, audio/wav, audio/opus, audio/ogg."
      const type = personality.headers === 'upper' ? `${first.type}; rate=24000` : first.type
      return void response.writeHead(200, { 'content-type': type }).end(first.bytes)
    }
    const data = files.map((file) => {
      if (body.response_format === 'b64_json') return { b64_json: file.bytes.toString('base64') }
      const url = addressOf(response, artifacts.store(file, personality))
      return personality.images === 'both' ? { url, b64_json: null, seed: 7 } : { url }
    })
    sendJson(response, 200, { created: seconds(), data, provider: 'acme' })
  }

  /** Answers the creation, with the callbacks before and after it. */
  async function run(task: Task, response: ServerResponse, address: string | undefined, isLost: boolean) {
    const { creation, callbackTime } = task.personality
    const call = async (times: readonly Personality['callbackTime'][]) => {
      if (address === undefined || !times.includes(callbackTime)) return
      const status = await sendCallback(task, address)
      if (status !== undefined) script.callbacks.push({ model: task.model.id, status })
    }
    const isAtOnce = creation.startsWith('completed') && task.ends === 'completed'
    if (isAtOnce) task.state = 'completed'
    else if (creation === 'processing') task.state = 'processing'
    await call(['early', 'only early'])
    if (isLost) response.destroy()
    else {
      const status = creation === 'completed 200' && isAtOnce ? 200 : 202
      sendJson(response, status, taskBody(task, 'creation', creation !== 'completed without data'))
    }
    for (const state of isAtOnce ? [] : (['processing', task.ends] satisfies State[])) {
      await wait(stepMs)
      task.state = state
      await call(['each'])
    }
    await call(['ready', 'early'])
    await call(['each'])
    await call(['each'])
  }

  function poll(request: IncomingMessage, response: ServerResponse) {
    const id = decodeURIComponent((request.url ?? '').slice('/v1/tasks/'.length))
    const task = tasks.get(id)
    if (!task) return refuse(response, 'object', 404, `no task ${id}`)
    sendJson(response, 200, taskBody(task, 'poll'))
  }

  return { create, poll }
}

/** Whether a request is answered with its result: "Synchronous by default"; long texts are always asynchronous. */
function isAnsweredNow(model: MediaModel, body: Body, { creation }: Personality): boolean {
  const isSync = body.async !== true && String(body.text ?? '').length <= 4500
  return model.isSync === true && (isSync || creation === 'result 200')
}

function callbackOf({ callback }: MediaModel, body: Body): string | undefined {
  const address = callback === undefined ? undefined : body[callback]
  return typeof address === 'string' ? address : undefined
}

const endOf = (fault: Fault | undefined): Task['ends'] =>
  fault?.kind === 'fail' ? 'failed' : fault?.kind === 'cancel' ? 'canceled' : 'completed'

const addressOf = ({ req }: ServerResponse, path: string) => `http://${req.headers.host}${path}`
