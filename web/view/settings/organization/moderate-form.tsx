import { useSignal } from '@preact/signals'
import { isolated } from '../../../model/state/isolated.ts'
import type { Session } from '../../../model/state/session.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { closeDialog, openDialog, useDialogWork } from '../../parts/dialog.tsx'
import { attempt, notify, Problem } from '../../parts/notices.tsx'
import { fullTime } from '../../parts/times.ts'

type Client = Session['client']
type Status = Awaited<ReturnType<Client['getModeration']>>
type Act = Parameters<Client['moderateUser']>[0]['actions'][number]

interface Moderated {
  user_id: number
  full_name: string
}

const durations = [
  [60, pageTexts.moderation.hour],
  [24 * 60, pageTexts.moderation.day],
  [7 * 24 * 60, pageTexts.moderation.week],
  [30 * 24 * 60, pageTexts.moderation.month],
] as const

/** Asks a moderator how to act against somebody. */
export const openModerate = (session: Session, who: Moderated): void =>
  attempt(async () => {
    const status = await session.client.getModeration({ user_id: who.user_id })
    openDialog(
      pageTexts.moderation.title(isolated(who.full_name)),
      <ModerateForm session={session} who={who} status={status} />,
    )
  })

function ModerateForm({ session, who, status }: { session: Session; who: Moderated; status: Status }) {
  const { silenced, messages } = status
  const chosen = useSignal<ReadonlySet<Act>>(new Set())
  const minutes = useSignal<number>(durations[0][0])
  const reason = useSignal('')
  const { problem, run } = useDialogWork()
  const choose = (act: Act, isChosen: boolean) => {
    const others = [...chosen.value].filter((one) => one !== act)
    chosen.value = new Set(isChosen ? [...others, act] : others)
  }
  const act = async () => {
    const actions = [...chosen.value]
    const length = chosen.value.has('silence') ? { minutes: minutes.value } : {}
    await session.client.moderateUser({ user_id: who.user_id, actions, reason: reason.value, ...length })
    notify(pageTexts.moderation.done)
  }
  const onSubmit = (event: Event) => {
    event.preventDefault()
    const deletes = chosen.value.has('delete_messages')
    if (!deletes && !chosen.value.has('deactivate')) void run(act)
    else askFirst(who, deletes ? messages : undefined, act)
  }
  const choice = (name: Act, label: string) => (
    <label class="choice">
      <input
        type="checkbox"
        checked={chosen.value.has(name)}
        onChange={(event) => choose(name, event.currentTarget.checked)}
      />
      {label}
    </label>
  )
  return (
    <form class="schedule" onSubmit={onSubmit}>
      {silenced && (
        <p>{pageTexts.moderation.silencedUntil(fullTime(new Date(silenced.until * 1000)), silenced.reason)}</p>
      )}
      {choice('warn', pageTexts.moderation.warn)}
      {silenced && choice('end_silence', pageTexts.moderation.endSilence)}
      {choice('silence', pageTexts.moderation.silence)}
      <label>
        {pageTexts.moderation.silenceFor}
        <select
          value={minutes.value}
          disabled={!chosen.value.has('silence')}
          onChange={(event) => (minutes.value = Number(event.currentTarget.value))}
        >
          {durations.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {choice('delete_messages', pageTexts.moderation.deleteAll(messages))}
      {choice('deactivate', pageTexts.moderation.deactivate)}
      <label>
        {pageTexts.common.reason}
        <textarea
          rows={3}
          required
          maxLength={1000}
          value={reason.value}
          onInput={(event) => (reason.value = event.currentTarget.value)}
        />
      </label>
      <p class="quiet small">{pageTexts.moderation.reasonHelp}</p>
      <Problem of={problem} />
      <footer>
        <button type="button" onClick={closeDialog}>
          {texts.common.cancel}
        </button>
        <button type="submit" class="primary" disabled={chosen.value.size === 0}>
          {pageTexts.moderation.action}
        </button>
      </footer>
    </form>
  )
}

/** Asks again before what can't be undone, with the number of messages. */
function askFirst({ full_name }: Moderated, messages: number | undefined, run: () => Promise<void>): void {
  const name = isolated(full_name)
  if (messages === undefined)
    confirm({
      title: pageTexts.users.deactivateTitle(name),
      text: pageTexts.moderation.deactivateText,
      action: pageTexts.common.deactivate,
      run,
    })
  else
    confirm({
      title: pageTexts.moderation.deleteTitle(messages, name),
      text: pageTexts.moderation.deleteText,
      action: pageTexts.moderation.deleteAction(messages),
      run,
    })
}
