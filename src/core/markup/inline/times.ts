import { element } from '../html.ts'
import { keep, type Pass } from './passes.ts'
import { readTime } from './read-time.ts'

const pattern = /<time:([^>\ufdd0]{0,200})>/g

/** `<time:2026-01-01T00:00:00Z>`. */
export const times: Pass = (text, state) =>
  text.includes('<time:')
    ? text.replace(pattern, (_typed, inner: string) => {
        const datetime = readTime(inner, state.context.now)
        if (datetime) return keep(state, element('time', { datetime }, inner))
        return keep(state, element('span', { class: 'timestamp-error' }, `Invalid time format: ${inner}`))
      })
    : text
