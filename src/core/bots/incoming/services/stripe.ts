import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { number, on, text, textAt } from '../format/event.ts'
import type { Service } from '../format/service.ts'
import { link, topicName, untrustedLine } from '../format/text.ts'

const object = v.object({
  id: text,
  object: text,
  amount: v.nullish(number),
  amount_total: v.nullish(number),
  amount_due: v.nullish(number),
  amount_paid: v.nullish(number),
  currency: text,
  customer: v.nullish(v.unknown()),
  customer_email: text,
  email: text,
  description: text,
  status: text,
})

/** Currencies without a smaller unit. */
const WHOLE = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '))

function price(amount: number | null | undefined, currency: string): string {
  if (amount === null || amount === undefined || !currency) return ''
  const value = WHOLE.has(currency) ? String(amount) : (amount / 100).toFixed(2)
  return ` of ${value} ${untrustedLine(currency.toUpperCase())}`
}

const TOLERANCE_SECONDS = 300

/** Stripe names all events alike: a noun, and what happened to it. */
export const stripe: Service = {
  name: 'stripe',
  displayName: 'Stripe',
  headers: ['stripe-signature'],
  secret: { option: 'stripe_secret', isProven },
  deliveryOf: (payload) => textAt(payload, 'id'),
  eventOf: (payload) => textAt(payload, 'type'),
  events: {
    '*': on(
      v.object({ type: v.string(), livemode: v.nullish(v.boolean()), data: v.object({ object }) }),
      ({ type, livemode, data: { object: o } }) => {
        const parts = type.split('.')
        const verb = parts.at(-1)!.replaceAll('_', ' ')
        const noun = parts.slice(0, -1).join(' ').replaceAll('_', ' ')
        const page =
          o.id &&
          `https://dashboard.stripe.com/${livemode === false ? 'test/' : ''}search?query=${encodeURIComponent(o.id)}`
        const amount = price(o.amount ?? o.amount_total ?? o.amount_paid ?? o.amount_due, o.currency)
        const person = o.customer_email || o.email
        return {
          topic: topicName('Stripe', noun),
          content: `${link(noun || type, page)}${amount}${person ? ` for ${untrustedLine(person)}` : ''}: **${untrustedLine(verb)}**${o.description ? `. ${untrustedLine(o.description)}` : ''}`,
        }
      },
    ),
  },
}

/** `t=TIME,v1=SIGNATURE`: the signature is of the time, a dot and the body. */
function isProven(
  secret: string,
  body: string,
  headers: Readonly<Record<string, string | undefined>>,
  now: number,
): boolean {
  const parts = (headers['stripe-signature'] ?? '').split(',').map((part) => part.trim().split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  // A request that somebody recorded is valid for a few minutes only.
  if (!(Math.abs(now - Number(time)) <= TOLERANCE_SECONDS)) return false
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest()
  return parts.some(([name, value]) => {
    const given = Buffer.from(name === 'v1' ? (value ?? '') : '', 'hex')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
