import { texts } from '../../texts/texts.ts'

interface CountProps {
  of: number
  /** Counts messages to the reader: direct messages and mentions. */
  personal?: boolean
}

/** How many messages are unread; nothing where none is. */
export function Count({ of: count, personal = false }: CountProps) {
  if (count === 0) return null
  return (
    <span class={personal ? 'count personal' : 'count'}>
      {count > 999 ? '999+' : count}
      <span class="hidden"> {texts.common.unread}</span>
    </span>
  )
}
