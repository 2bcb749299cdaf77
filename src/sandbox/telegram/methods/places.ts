// Sending places, contacts and dice; moving a live location.

import type { Location } from 'grammy/types'
import { z } from 'zod'
import { defined } from '../defined.ts'
import { inlineMarkup } from '../markup.ts'
import { type Methods, method } from '../method.ts'
import { chatId, float, int, messageId, str } from '../params.ts'
import { destination, post, sendParams } from '../post.ts'
import { refuse } from '../refusal.ts'
import { editable, rewrite } from '../rewrite.ts'
import { nowSeconds, type TelegramServer } from '../server.ts'
import type { ChatMessage } from '../state.ts'

const forever = 0x7fffffff

const coordinates = {
  latitude: float.optional(),
  longitude: float.optional(),
  horizontal_accuracy: float.optional(),
}
const liveParams = {
  ...coordinates,
  live_period: int.optional(),
  heading: int.optional(),
  proximity_alert_radius: int.optional(),
}
type LiveParams = z.output<z.ZodObject<typeof liveParams>>

function locationOf(params: LiveParams): Location {
  const latitude = params.latitude ?? refuse('latitude is empty')
  const longitude = params.longitude ?? refuse('longitude is empty')
  const { horizontal_accuracy, live_period, heading, proximity_alert_radius } = params
  if (live_period && live_period !== forever && (live_period < 60 || live_period > 86_400)) {
    refuse('wrong live location period specified')
  }
  const live = live_period ? { live_period, heading, proximity_alert_radius } : {}
  return { latitude, longitude, ...defined({ horizontal_accuracy, ...live }) }
}

const diceValues: Readonly<Record<string, number>> = { '🎲': 6, '🎯': 6, '🎳': 6, '🏀': 5, '⚽': 5, '🎰': 64 }

const editParams = { chat_id: chatId, message_id: messageId, reply_markup: inlineMarkup.optional() }
type EditParams = z.output<z.ZodObject<typeof editParams>>

/** @param next the new state of the location; undefined stops it */
function moveLive(
  server: TelegramServer,
  params: EditParams,
  next: LiveParams | undefined,
): ChatMessage | true {
  const target = editable(server, params)
  const { location, date } = target.message
  if (!location?.live_period) return refuse("message can't be edited")
  const { live_period, ...last } = location
  if (date + live_period < nowSeconds(server)) refuse("message can't be edited")
  const content = next ? locationOf({ ...next, live_period: next.live_period ?? live_period }) : last
  return rewrite(server, params, target, ['location'], { location: content })
}

const venueFields = {
  foursquare_id: str.optional(),
  foursquare_type: str.optional(),
  google_place_id: str.optional(),
  google_place_type: str.optional(),
}

export const places = {
  sendLocation: method(z.object({ ...sendParams, ...liveParams }), (server, params) =>
    post(server, destination(server, params), { location: locationOf(params) }),
  ),

  editMessageLiveLocation: method(z.object({ ...editParams, ...liveParams }), (server, params) =>
    moveLive(server, params, params),
  ),

  stopMessageLiveLocation: method(z.object(editParams), (server, params) =>
    moveLive(server, params, undefined),
  ),

  sendVenue: method(
    z.object({ ...sendParams, ...coordinates, ...venueFields, title: str, address: str }),
    (server, params) => {
      const { title, address, foursquare_id, foursquare_type, google_place_id, google_place_type } = params
      const location = locationOf(params)
      const more = defined({ foursquare_id, foursquare_type, google_place_id, google_place_type })
      return post(server, destination(server, params), {
        location,
        venue: { location, title, address, ...more },
      })
    },
  ),

  sendContact: method(
    z.object({
      ...sendParams,
      phone_number: str,
      first_name: str,
      last_name: str.optional(),
      vcard: str.optional(),
    }),
    (server, { phone_number, first_name, last_name, vcard, ...params }) => {
      if (phone_number === '') refuse('parameter "phone_number" is required')
      if (first_name === '') refuse('parameter "first_name" is required')
      const contact = { phone_number, first_name, ...defined({ last_name, vcard }) }
      return post(server, destination(server, params), { contact })
    },
  ),

  sendDice: method(z.object({ ...sendParams, emoji: str.default('🎲') }), (server, params) => {
    const emoji = params.emoji.replace(/\ufe0f/g, '')
    const sides = diceValues[emoji] ?? refuse('dice emoji is invalid')
    const value = 1 + Math.floor(server.random() * sides)
    return post(server, destination(server, params), { dice: { emoji, value } })
  }),
} satisfies Methods
