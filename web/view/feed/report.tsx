import { useSignal } from '@preact/signals'
import type { Session } from '../../model/state/session.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { DialogFooter, openDialog, useDialogWork } from '../parts/dialog.tsx'
import { notify, Problem } from '../parts/notices.tsx'

/** The reason that needs an explanation. */
const OTHER = 'other'

/** Asks why to report a message to the moderators. */
export const openReport = (session: Session, message_id: number): void =>
  openDialog(pageTexts.report.title, <ReportForm session={session} message_id={message_id} />)

/** The names of the server's kinds of reports. A newer server may have others. */
export const reportNames: Readonly<Record<string, string>> = pageTexts.report.types

type ReportType = Parameters<Session['client']['reportMessage']>[0]['report_type']

function ReportForm({ session, message_id }: { session: Session; message_id: number }) {
  const types = session.state.server_report_message_types
  const type = useSignal(types[0]!.key)
  const details = useSignal('')
  const { problem, run } = useDialogWork()
  const onSubmit = (event: Event) => {
    event.preventDefault()
    void run(async () => {
      const report_type = type.value as ReportType
      await session.client.reportMessage({ message_id, report_type, description: details.value })
      notify(pageTexts.report.sent)
    })
  }
  return (
    <form class="schedule" onSubmit={onSubmit}>
      <p class="quiet">{pageTexts.report.intro}</p>
      <label>
        {pageTexts.common.reason}
        <select value={type.value} onChange={(event) => (type.value = event.currentTarget.value as ReportType)}>
          {types.map(({ key, name }) => (
            <option key={key} value={key}>
              {reportNames[key] ?? name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {pageTexts.report.details}
        <textarea
          rows={4}
          maxLength={1000}
          required={type.value === OTHER}
          value={details.value}
          onInput={(event) => (details.value = event.currentTarget.value)}
        />
      </label>
      <Problem of={problem} />
      <DialogFooter action={pageTexts.report.action} />
    </form>
  )
}
