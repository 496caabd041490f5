import { useLayoutEffect, useRef } from 'preact/hooks'
import { useSession } from '../session-context.ts'
import { enhanceContent } from './enhance-content.ts'
import { sanitized } from './sanitize.ts'

/** Rendered markup, such as the text of a message. */
export function Content({ html, class: name = '' }: { html: string; class?: string }) {
  const session = useSession()
  const element = useRef<HTMLDivElement>(null)
  // The settings that affect its appearance.
  const { emojiset, twenty_four_hour_time, web_animate_image_previews } = session.read('settings').user_settings
  const { realm_inline_image_preview } = session.read('organization')
  useLayoutEffect(() => {
    const fragment = sanitized(html)
    enhanceContent(fragment, session)
    element.current!.replaceChildren(fragment)
  }, [html, session, emojiset, twenty_four_hour_time, web_animate_image_previews, realm_inline_image_preview])
  return <div ref={element} class={`content ${name}`} dir="auto" />
}
