import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { streamName } from '../../model/reading/conversations.ts'
import { isolated } from '../../model/state/isolated.ts'
import type { Session } from '../../model/state/session.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { confirm } from '../parts/confirm.tsx'
import { CopiedText } from '../parts/copy-dialog.tsx'
import { closeDialog, openDialog } from '../parts/dialog.tsx'
import { Problem, reasonOf } from '../parts/notices.tsx'

/** Shows the reader's address of a channel, whose email is posted there. */
export const openChannelEmail = (session: Session, stream_id: number): void =>
  openDialog(
    pageTexts.channelEmail.title(isolated(streamName(session.state, stream_id) ?? texts.common.unknownChannel)),
    <ChannelEmail session={session} stream_id={stream_id} />,
  )

/** What an address can ask for, by what it is called in the address. */
const options = {
  'show-sender': pageTexts.channelEmail.showSender,
  'include-quotes': pageTexts.channelEmail.quotes,
  'include-footer': pageTexts.channelEmail.footer,
  'prefer-html': pageTexts.channelEmail.html,
} as const
type Option = keyof typeof options

function ChannelEmail({ session, stream_id }: { session: Session; stream_id: number }) {
  const { client, state } = session
  const sender = useSignal('')
  const chosen = useSignal<readonly Option[]>([])
  const email = useSignal('')
  const problem = useSignal('')
  useEffect(() => {
    const sender_id = sender.value
    email.value = ''
    client.getStreamEmail({ stream_id, ...(sender_id !== '' && { sender_id: Number(sender_id) }) }).then(
      (answer) => {
        // Another sender may have been chosen since.
        if (sender.peek() !== sender_id) return
        email.value = answer.email
        problem.value = ''
      },
      (error: unknown) => (problem.value = reasonOf(error)),
    )
  }, [sender.value])
  const renew = () =>
    confirm({
      title: pageTexts.channelEmail.renewTitle,
      text: pageTexts.channelEmail.renewText,
      action: pageTexts.channelEmail.renew,
      run: async () => {
        await client.revokeStreamEmail({ stream_id })
        openChannelEmail(session, stream_id)
      },
    })
  const mine = new Set(state.realm_bots.map(({ user_id }) => user_id))
  const bots = state.realm_users.filter((one) => mine.has(one.user_id) && one.bot_owner_id === state.user_id)
  const at = email.value.lastIndexOf('@')
  const suffix = chosen.value.map((option) => `.${option}`).join('')
  const toggle = (option: Option, isOn: boolean) => {
    const others = chosen.value.filter((one) => one !== option)
    chosen.value = isOn ? [...others, option] : others
  }
  return (
    <form class="channel-email" onSubmit={(event) => event.preventDefault()}>
      <p class="quiet">{pageTexts.channelEmail.about}</p>
      <label>
        {pageTexts.channelEmail.sender}
        <select value={sender.value} onChange={(event) => (sender.value = event.currentTarget.value)}>
          <option value="">{pageTexts.channelEmail.gateway}</option>
          <option value={String(state.user_id)}>{state.full_name}</option>
          {bots.map(({ user_id, full_name }) => (
            <option key={user_id} value={String(user_id)}>
              {full_name}
            </option>
          ))}
        </select>
      </label>
      {Object.entries(options).map(([option, label]) => (
        <label key={option} class="choice">
          <input type="checkbox" onChange={(event) => toggle(option as Option, event.currentTarget.checked)} />
          {label}
        </label>
      ))}
      {at !== -1 && (
        <CopiedText
          label={pageTexts.channelEmail.address}
          value={`${email.value.slice(0, at)}${suffix}${email.value.slice(at)}`}
        />
      )}
      <Problem of={problem} />
      <footer>
        <button type="button" onClick={renew}>
          {pageTexts.channelEmail.renew}
        </button>
        <button type="button" class="primary" onClick={closeDialog}>
          {pageTexts.copy.done}
        </button>
      </footer>
    </form>
  )
}
