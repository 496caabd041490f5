import { useEffect } from 'preact/hooks'
import { locale } from '../../../model/state/language.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { Moment } from '../../parts/moment.tsx'
import { attempt, Problem } from '../../parts/notices.tsx'
import { shortDate } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'
import { useAnswer } from '../use-answer.ts'

/** Milliseconds between two looks at the progress. */
const LOOK_MS = 2000

/** "1.2 MB" or "340 kB" in the reader's language. */
function sizeText(bytes: number): string {
  const [unit, amount] =
    bytes >= 1e6 ? (['megabyte', bytes / 1e6] as const) : (['kilobyte', Math.ceil(bytes / 1000)] as const)
  return new Intl.NumberFormat(locale.value, { style: 'unit', unit, maximumFractionDigits: 1 }).format(amount)
}

/** The export of the reader's own data. */
export function OwnExport() {
  const { client } = useSession()
  const { answer, problem, load } = useAnswer((client) => client.listOwnExports())
  const [made] = answer.value?.exports ?? []
  const isPending = made?.pending ?? false
  useEffect(() => {
    if (!isPending) return
    const timer = setInterval(() => void load(), LOOK_MS)
    return () => clearInterval(timer)
  }, [isPending])
  const start = () =>
    attempt(async () => {
      await client.startOwnExport()
      await load()
    })
  const remove = (export_id: number) =>
    confirm({
      title: pageTexts.exports.deleteTitle,
      text: pageTexts.exports.deleteText,
      action: pageTexts.common.delete,
      run: async () => {
        await client.deleteOwnExport({ export_id })
        await load()
      },
    })
  return (
    <>
      <h3>{pageTexts.account.data}</h3>
      <p class="quiet">{pageTexts.account.dataHelp}</p>
      <Problem of={problem} />
      {made && (
        <ul class="settings-list">
          <li key={made.id}>
            <span class="name">
              <Moment seconds={made.export_time} />
              {made.expires_at !== null && (
                <span class="quiet small">
                  {pageTexts.account.dataUntil(shortDate(new Date(made.expires_at * 1000)), sizeText(made.size ?? 0))}
                </span>
              )}
            </span>
            <span role="status">
              {made.failed_timestamp !== null && <span class="problem">{pageTexts.exports.failed}</span>}
              {isPending && <span class="quiet">{pageTexts.exports.running}</span>}
            </span>
            {made.export_url && (
              <>
                <a href={made.export_url} download>
                  {pageTexts.exports.download}
                </a>
                <button type="button" onClick={() => remove(made.id)}>
                  {pageTexts.common.delete}
                </button>
              </>
            )}
          </li>
        </ul>
      )}
      <button type="button" disabled={!answer.value || isPending} onClick={start}>
        {pageTexts.account.dataExport}
      </button>
    </>
  )
}
