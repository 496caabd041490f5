import { useLayoutEffect, useRef } from 'preact/hooks'
import { texts } from '../../texts/texts.ts'
import { Icon } from './icon.tsx'

interface Marked {
  color?: string
  invite_only: boolean
}

/** The stream's icon in its color: a lock for a private one. */
export function StreamMark({ stream: { color, invite_only } }: { stream: Marked }) {
  const element = useRef<HTMLSpanElement>(null)
  // The page's policy refuses style attributes, not styles set by script.
  useLayoutEffect(() => element.current!.style.setProperty('--stream', color ?? 'currentColor'), [color])
  return (
    <span ref={element} class="stream-mark">
      <Icon name={invite_only ? 'lock' : 'hash'} />
      {invite_only && <span class="hidden">{texts.message.privateChannel}</span>}
    </span>
  )
}
