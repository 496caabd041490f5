import { useSignal } from '@preact/signals'
import { conversationLabel } from '../../../model/navigation/conversation-label.ts'
import { addressOf, type Conversation, othersOf } from '../../../model/reading/conversations.ts'
import { nameOf } from '../../../model/reading/people.ts'
import { isolated } from '../../../model/state/isolated.ts'
import type { Session } from '../../../model/state/session.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { reportNames } from '../../feed/report.tsx'
import { confirm } from '../../parts/confirm.tsx'
import { DialogFooter, openDialog, useDialogWork } from '../../parts/dialog.tsx'
import { attempt, Problem } from '../../parts/notices.tsx'
import { longAgo } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'
import { openModerate } from './moderate-form.tsx'

export type Report = Awaited<ReturnType<Session['client']['listReports']>>['reports'][number]

/** A reported message with its reasons, and what a moderator can do about it. */
export function ReportRow({ report, author }: { report: Report; author: string }) {
  const session = useSession()
  const { server_report_message_types: types, user_id } = session.read('organization', 'streams', 'users')
  const { author_id, message_id, place, content, is_deleted, state, taken_by, decision, sent_at, reasons } = report
  const conversation: Conversation =
    'stream_id' in place
      ? { type: 'stream', ...place }
      : { type: 'direct', user_ids: othersOf(place.user_ids, author_id) }
  const where = conversationLabel(session, conversation)
  const canRead = 'stream_id' in place || place.user_ids.includes(user_id)
  const by = taken_by === null ? '' : nameOf(session, taken_by)
  const status = {
    open: pageTexts.moderation.isOpen,
    taken: pageTexts.moderation.takenBy(isolated(by)),
    closed: pageTexts.moderation.closedBy(isolated(by), decision),
  }[state]
  return (
    <li class="bot report" aria-label={pageTexts.moderation.reportName(author)}>
      <div class="name">
        <strong>{author}</strong>{' '}
        <span class="quiet small">
          {is_deleted || !canRead ? where : <a href={addressOf(conversation, session.state, message_id)}>{where}</a>}
          {`${texts.common.comma}${longAgo(sent_at)}`}
        </span>
        <blockquote dir="auto">{content ?? pageTexts.moderation.unreadable}</blockquote>
        <ul class="quiet small">
          {reasons.map(({ user_id, type, description }) => (
            <li key={user_id}>
              {pageTexts.moderation.reasonOf(
                isolated(nameOf(session, user_id)),
                reportNames[type] ?? types.find(({ key }) => key === type)?.name ?? type,
              )}
              {description !== '' && ` ${description}`}
            </li>
          ))}
        </ul>
        <span class="quiet small">
          {status}
          {is_deleted && ` ${pageTexts.moderation.isDeleted}`}
        </span>
      </div>
      <ReportActions session={session} report={report} author={author} />
    </li>
  )
}

function ReportActions({ session, report, author }: { session: Session; report: Report; author: string }) {
  const { id: report_id, author_id, is_deleted, state, taken_by } = report
  const change = (params: Omit<Parameters<Session['client']['updateReport']>[0], 'report_id'>) =>
    session.client.updateReport({ report_id, ...params })
  const isOthers = state === 'taken' && taken_by !== session.state.user_id
  const remove = () =>
    confirm({
      title: pageTexts.delete.title,
      text: pageTexts.moderation.deleteText,
      action: pageTexts.moderation.deleteOne,
      run: () => change({ delete_message: true }),
    })
  return (
    <p class="buttons">
      {state === 'open' && (
        <button type="button" onClick={() => attempt(() => change({ state: 'taken' }))}>
          {pageTexts.moderation.take}
        </button>
      )}
      {state !== 'open' && (
        <button type="button" onClick={() => attempt(() => change({ state: 'open' }))}>
          {state === 'taken' ? pageTexts.moderation.release : pageTexts.moderation.reopen}
        </button>
      )}
      {!isOthers && !is_deleted && (
        <button type="button" onClick={remove}>
          {pageTexts.moderation.deleteOne}
        </button>
      )}
      {!isOthers && (
        <button type="button" onClick={() => openModerate(session, { user_id: author_id, full_name: author })}>
          {pageTexts.moderation.moderate}
        </button>
      )}
      {!isOthers && state !== 'closed' && (
        <button type="button" onClick={() => openClose(change)}>
          {pageTexts.moderation.close}
        </button>
      )}
    </p>
  )
}

type Change = (params: { state: 'closed'; decision: string }) => Promise<unknown>

const openClose = (change: Change): void => openDialog(pageTexts.moderation.closeTitle, <CloseForm change={change} />)

function CloseForm({ change }: { change: Change }) {
  const decision = useSignal('')
  const { problem, run } = useDialogWork()
  const onSubmit = (event: Event) => {
    event.preventDefault()
    void run(() => change({ state: 'closed', decision: decision.value }))
  }
  return (
    <form class="schedule" onSubmit={onSubmit}>
      <label>
        {pageTexts.moderation.decision}
        <textarea
          rows={3}
          maxLength={1000}
          value={decision.value}
          onInput={(event) => (decision.value = event.currentTarget.value)}
        />
      </label>
      <Problem of={problem} />
      <DialogFooter action={pageTexts.moderation.closeAction} />
    </form>
  )
}
