import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { Problem, reasonOf } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { useAnswer } from '../use-answer.ts'
import { ImportReport } from './import-report.tsx'

/** The report of an import, and the invitation of the people it brought. */
export function FinishedImport({ import_id }: { import_id: number }) {
  const { answer, problem, load } = useAnswer((client) => client.getImport({ import_id }))
  if (!answer.value) return <Problem of={problem} />
  const { report, newcomers, sends_mail } = answer.value
  return (
    <div class="import-details">
      {report && <ImportReport report={report} />}
      {newcomers > 0 && <Newcomers import_id={import_id} count={newcomers} mail={sends_mail} load={load} />}
    </div>
  )
}

interface NewcomersProps {
  import_id: number
  count: number
  mail: boolean
  load(): Promise<void>
}

/** People without a password get a link to set one: by email, or in a file. */
function Newcomers({ import_id, count, mail, load }: NewcomersProps) {
  const { client } = useSession()
  const problem = useSignal('')
  const result = useSignal('')
  const invite = async (byMail: boolean) => {
    problem.value = ''
    try {
      const { newcomers } = await client.inviteNewcomers({ import_id, mail: byMail })
      if (byMail) result.value = pageTexts.imports.mailed(newcomers.length)
      else save(newcomers)
      await load()
    } catch (error) {
      problem.value = reasonOf(error)
    }
  }
  return (
    <>
      <p>{pageTexts.imports.newcomers(count)}</p>
      <p class="buttons">
        {mail && (
          <button type="button" onClick={() => void invite(true)}>
            {pageTexts.imports.mailLinks}
          </button>
        )}
        <button type="button" onClick={() => void invite(false)}>
          {pageTexts.imports.saveLinks}
        </button>
      </p>
      <p role="status">{result.value}</p>
      <Problem of={problem} />
    </>
  )
}

/** A cell of a CSV file. Spreadsheets run what begins like a formula. */
const cell = (text: string): string => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`

function save(newcomers: readonly { email: string; full_name: string; link_url: string | null }[]): void {
  const rows = newcomers.map(({ email, full_name, link_url }) => [email, full_name, link_url ?? ''])
  const csv = [['email', 'name', 'link'], ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }))
  link.download = 'invitations.csv'
  link.click()
  URL.revokeObjectURL(link.href)
}
