import { useLayoutEffect, useRef } from 'preact/hooks'
import { conversationLabel } from '../../model/navigation/conversation-label.ts'
import { type Conversation, conversationKey, narrowOf } from '../../model/reading/conversations.ts'
import type { FeedView } from '../../model/reading/feed-view.ts'
import { narrowAddress } from '../../model/state/address.ts'
import { isDrawn } from '../../model/state/first-draw.ts'
import { later } from '../../model/state/later.ts'
import { go } from '../../model/state/route.ts'
import { composerOf, send, write } from '../../model/writing/compose.ts'
import { beginEditOfLast } from '../../model/writing/edit.ts'
import { MANY, mentionsEverybody, peopleIn } from '../../model/writing/everybody.ts'
import { whyNotWrite } from '../../model/writing/rights.ts'
import { typingNotices } from '../../model/writing/typing.ts'
import { texts } from '../../texts/texts.ts'
import { confirm } from '../parts/confirm.tsx'
import { Icon } from '../parts/icon.tsx'
import { isComposed } from '../parts/key-name.ts'
import { attempt, notify } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { formatByKey, pasteLink } from './insert-text.ts'
import { NewMessage } from './new-message.tsx'
import { loadTools, useFiles } from './use-files.ts'
import { useTypeahead } from './use-typeahead.ts'

const tools = later(loadTools)

const COMPOSE_TEXT = 'compose-text'

/** A click on Send this soon after sending is the second click of a double click. */
const SECOND_CLICK_MS = 2000

const leave = () => document.getElementById('main-view')?.focus()

/** The place to write. */
export function ComposeBox({ feed }: { feed: FeedView }) {
  const session = useSession()
  const { choosing, content, focusRequests, obstacle, roomLeft, target } = composerOf(session)
  const box = useRef<HTMLTextAreaElement>(null)
  const typeahead = useTypeahead(session, box, () => target.peek())
  const files = useFiles(box)
  const requests = focusRequests.value
  const answered = useRef(requests)
  const Tools = tools.part.value
  useLayoutEffect(() => {
    // Earlier requests were for another view's composer. The field of the recipients comes with the tools.
    if (requests === answered.current || (choosing.peek() && !Tools)) return
    answered.current = requests
    const first = choosing.peek() ? document.querySelector<HTMLElement>('.recipients input') : null
    if (first && !first.matches('[data-filled]')) first.focus()
    else box.current?.focus()
  }, [requests, Tools])
  const sentAt = useRef(Number.NEGATIVE_INFINITY)
  const to = target.value
  const enterSends = session.read('settings').user_settings.enter_sends

  const submit = () => {
    const to = target.peek()
    const isSecondClick = content.value === '' && performance.now() - sentAt.current < SECOND_CLICK_MS
    if (isSecondClick) notify(texts.compose.alreadySent)
    else if (obstacle.value) notify(obstacle.value)
    else if (to && mentionsEverybody(content.value)) attempt(() => askThenSend(to, content.value))
    else sendNow()
  }
  /** Everybody in a large stream is notified only by those who mean it. */
  const askThenSend = async (to: Conversation, text: string) => {
    const people = await peopleIn(session, to)
    const isSame = target.peek() && conversationKey(target.peek()!) === conversationKey(to) && content.peek() === text
    if (!isSame) notify(texts.compose.notSentChanged)
    else if (people <= MANY) sendNow()
    else
      confirm({
        title: texts.compose.mentionAllTitle,
        text: texts.compose.mentionAllText(people, conversationLabel(session, to)),
        action: texts.compose.mentionAllAction,
        run: async () => sendNow(),
      })
  }
  const sendNow = () => {
    const went = send(session)
    typingNotices(session).stopped()
    if (!went) return
    sentAt.current = performance.now()
    const isHere = feed.conversation && conversationKey(feed.conversation) === conversationKey(went)
    if (isHere) requestAnimationFrame(() => void feed.toNewest())
    else if (session.state.user_settings.web_navigate_to_sent_message) go(narrowAddress(narrowOf(went)))
    else notify(texts.compose.sentTo(conversationLabel(session, went)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey
    // Ctrl+K leads to anything, from here too.
    if (!isCommand) event.stopPropagation()
    if (isComposed(event) || typeahead.onKeyDown(event) || formatByKey(event, box.current)) return
    if (isCommand && event.key === '.' && to) {
      event.preventDefault()
      go(narrowAddress(narrowOf(to)))
      return
    }
    if (event.key === 'ArrowUp' && content.value === '' && beginEditOfLast(session, feed.rows.peek())) {
      event.preventDefault()
      return
    }
    if (event.key === 'Escape') leave()
    const sends = isCommand || (enterSends && !event.shiftKey)
    if (tools.part.peek()?.editingKey(session, event, box.current, sends)) return
    if (event.key !== 'Enter' || !sends) return
    event.preventDefault()
    submit()
  }
  if (!to) return <NewMessage />
  // Many buttons, which nobody needs in the first frame; it has their room.
  if (isDrawn.value) tools.load()
  const refused = choosing.value ? '' : whyNotWrite(session, to)
  if (refused) return <p class="compose-notice">{refused}</p>
  const shown = Tools ? Tools.fieldText(session) : content.value
  return (
    <section
      class={`compose ${files.isOver() ? 'dropping' : ''}`}
      aria-label={texts.compose.compose}
      onKeyDown={(event) => event.key === 'Escape' && !isComposed(event) && leave()}
    >
      {Tools && <Tools.MovedNotice conversation={to} />}
      {Tools && <Tools.GuestNotice conversation={to} />}
      {choosing.value && Tools && <Tools.Recipients />}
      {Tools && <Tools.QuoteCards />}
      {Tools && <Tools.AttachmentList />}
      {Tools && <Tools.SlowMode conversation={to} />}
      {typeahead.List && <typeahead.List typeahead={typeahead} />}
      <div class="compose-row">
        <textarea
          id={COMPOSE_TEXT}
          ref={box}
          rows={1}
          aria-label={texts.compose.message}
          placeholder={texts.compose.placeholder}
          dir={shown === '' ? undefined : 'auto'}
          value={shown}
          {...typeahead.attributes}
          onInput={(event) => {
            ;(Tools?.writeField ?? write)(session, event.currentTarget.value)
            if (event.currentTarget.value !== '') typingNotices(session).typed(to)
            typeahead.look()
          }}
          onKeyDown={onKeyDown}
          onBlur={typeahead.close}
          onPaste={(event) =>
            pasteLink(event, box.current) || Tools?.pasteHtml(event, box.current) || files.onPaste(event)
          }
        />
        <button
          type="button"
          class="primary send"
          aria-label={texts.compose.send}
          title={enterSends ? texts.compose.sendByEnter : texts.compose.sendByCtrlEnter}
          onClick={() => {
            submit()
            // The next message follows, and on a phone the keyboard stays.
            box.current?.focus()
          }}
        >
          <Icon name="send" />
        </button>
      </div>
      {roomLeft.value !== undefined && (
        <p class={roomLeft.value < 0 ? 'problem small' : 'quiet small'} role="status">
          {roomLeft.value < 0
            ? texts.compose.charactersOver(-roomLeft.value)
            : texts.compose.charactersLeft(roomLeft.value)}
        </p>
      )}
      {Tools ? <Tools.ComposeTools box={box} onFiles={files.add} /> : <div class="tools" />}
    </section>
  )
}
