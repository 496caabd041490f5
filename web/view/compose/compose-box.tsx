import { useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { whereOf } from '../../model/finding/where.ts'
import { conversationKey, narrowOf } from '../../model/reading/conversations.ts'
import type { FeedView } from '../../model/reading/feed-view.ts'
import { narrowAddress } from '../../model/state/address.ts'
import { go } from '../../model/state/route.ts'
import {
  choosing,
  content,
  focusRequests,
  followDrafts,
  obstacle,
  send,
  target,
  write,
} from '../../model/writing/compose.ts'
import { beginEditOfLast } from '../../model/writing/edit.ts'
import { whyNotWrite } from '../../model/writing/may-write.ts'
import { typingNotices } from '../../model/writing/typing.ts'
import { Icon } from '../parts/icon.tsx'
import { notify } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { ComposeTools } from './compose-tools.tsx'
import { surround } from './insert-text.ts'
import { MovedNotice } from './moved-notice.tsx'
import { NewMessage } from './new-message.tsx'
import { Recipients } from './recipients.tsx'
import { TypeaheadList } from './typeahead-list.tsx'
import { UploadList } from './upload-list.tsx'
import { useFiles } from './use-files.ts'
import { useTypeahead } from './use-typeahead.ts'

export const COMPOSE_TEXT = 'compose-text'

const marksByKey: Readonly<Record<string, string>> = { b: '**', i: '*' }

/** The place to write. */
export function ComposeBox({ feed }: { feed: FeedView }) {
  const session = useSession()
  const box = useRef<HTMLTextAreaElement>(null)
  const typeahead = useTypeahead(session, box)
  const files = useFiles(box)
  useEffect(() => void followDrafts(session), [session])
  useSignalEffect(() => {
    if (focusRequests.value === 0) return
    // The box may only just be drawn.
    requestAnimationFrame(() => {
      const first = choosing.peek() ? document.querySelector<HTMLElement>('.recipients input') : null
      if (first && !first.matches('[data-filled]')) first.focus()
      else box.current?.focus()
    })
  })
  const to = target.value
  const enterSends = session.read('settings').user_settings.enter_sends

  const submit = () => {
    if (obstacle.value) {
      notify(obstacle.value)
      return
    }
    const went = send()
    typingNotices(session).stopped()
    if (!went) return
    const isHere = feed.conversation && conversationKey(feed.conversation) === conversationKey(went)
    if (isHere) requestAnimationFrame(() => void feed.toNewest())
    else if (session.state.user_settings.web_navigate_to_sent_message) go(narrowAddress(narrowOf(went)))
    else notify(`Sent: ${whereOf(session, went)}.`)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Ctrl+K leads to anything, from here too.
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation()
    if (typeahead.onKeyDown(event)) return
    const mark = (event.ctrlKey || event.metaKey) && marksByKey[event.key]
    if (mark) {
      event.preventDefault()
      surround(box.current, mark)
      return
    }
    if (event.key === 'ArrowUp' && content.value === '' && beginEditOfLast(session, feed.rows.peek())) {
      event.preventDefault()
      return
    }
    if (event.key === 'Escape') {
      box.current?.blur()
      document.getElementById('main-view')?.focus()
      return
    }
    const asked = event.ctrlKey || event.metaKey || (enterSends && !event.shiftKey)
    if (event.key !== 'Enter' || !asked || event.isComposing) return
    event.preventDefault()
    submit()
  }
  if (!to) return <NewMessage />
  const refused = choosing.value ? '' : whyNotWrite(session, to)
  if (refused) return <p class="compose-notice">{refused}</p>
  return (
    <section class={`compose ${files.over.value ? 'dropping' : ''}`} aria-label="Write a message" {...files.handlers}>
      <MovedNotice conversation={to} />
      {choosing.value && <Recipients />}
      <UploadList />
      <TypeaheadList typeahead={typeahead} />
      <div class="compose-row">
        <textarea
          id={COMPOSE_TEXT}
          ref={box}
          rows={1}
          aria-label="Message"
          placeholder="Write a message"
          dir="auto"
          value={content.value}
          {...typeahead.attributes}
          onInput={(event) => {
            write(event.currentTarget.value)
            if (event.currentTarget.value !== '') typingNotices(session).typed(to)
            typeahead.look()
          }}
          onKeyDown={onKeyDown}
          onBlur={typeahead.close}
          onPaste={files.onPaste}
        />
        <button
          type="button"
          class="primary send"
          aria-label="Send"
          title={enterSends ? 'Send (Enter)' : 'Send (Ctrl+Enter)'}
          onClick={submit}
        >
          <Icon name="send" />
        </button>
      </div>
      <ComposeTools box={box} onFiles={files.add} />
    </section>
  )
}
