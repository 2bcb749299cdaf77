// Reads compose.yaml as Docker Compose does: with merged anchors, and with the values of the variables that it takes from the shell or
// `.env`.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const text = readFileSync(join(import.meta.dirname, '../../../compose.yaml'), 'utf8')

const service = z.looseObject({
  image: z.string(),
  build: z.string().optional(),
  pull_policy: z.string().optional(),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  env_file: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  scale: z.coerce.number().default(1),
  logging: z.unknown(),
  stop_grace_period: z.string().optional(),
  depends_on: z
    .union([z.array(z.string()), z.record(z.string(), z.unknown()).transform(Object.keys)])
    .default([]),
})
const file = z.looseObject({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
})

const variable = /(?<!\$)\$\{(\w+)(?:(:[-+?])((?:[^${}]|\$\{\w+\})*))?\}/g

/** Replaces `${NAME}`, `${NAME:-otherwise}`, `${NAME:+instead}` and `${NAME:?message}`, whose second part may contain `${NAME}`. */
const filledIn = (value: string, env: Readonly<Record<string, string>>): string =>
  value.replaceAll(variable, (_, name: string, sign?: string, second = '') => {
    const set = env[name] ?? ''
    if (sign === ':+') return set && filledIn(second, env)
    if (set === '' && sign === ':?') throw new Error(`${name}: ${second}`)
    return set === '' && sign === ':-' ? filledIn(second, env) : set
  })

/** @param env what the operator has written into `.env` */
export const composeWith = (env: Readonly<Record<string, string>>) =>
  file.parse(
    parse(text, (_, value: unknown) => (typeof value === 'string' ? filledIn(value, env) : value), {
      merge: true,
    }),
  )

/** What the guide wants in any case. */
export const usualEnv = { PUBLIC_HOST: 'bot.example.com', POSTGRES_PASSWORD: 'letters' }

export const { services, volumes } = composeWith(usualEnv)

/** The services that run the app's image. */
export const ours = Object.entries(services).filter(([, { image }]) => image === 'generation-bot')

/** The names of variables in `${…}`. */
export const wanted: readonly string[] = [
  ...new Set([...text.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name = '']) => name)),
]
