import { nameOf } from '../../../model/reading/people.ts'
import { isolated } from '../../../model/state/isolated.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { Moment } from '../../parts/moment.tsx'
import { attempt, Problem } from '../../parts/notices.tsx'
import { fullTime } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'
import { useAnswer } from '../use-answer.ts'

const PUBLIC = 'public'
const WITH_CONSENT = 'full_with_consent'
/** Older servers number the kinds. */

/** Archives of the organization's data. */
export function Exports() {
  const session = useSession()
  const { client } = session
  const { answer, problem } = useAnswer(() => client.listExports(), 'exports')
  const consents = useAnswer(() => client.listExportConsents(), 'exports')
  const agreeing = consents.answer.value?.export_consents.filter(({ consented }) => consented).length ?? 0
  const present = answer.value?.exports.filter(({ deleted_timestamp }) => deleted_timestamp === null) ?? []
  const remove = (export_id: number) =>
    confirm({
      title: pageTexts.exports.deleteTitle,
      text: pageTexts.exports.deleteText,
      action: pageTexts.common.delete,
      run: () => client.deleteExport({ export_id }),
    })
  return (
    <>
      <p class="quiet">{pageTexts.exports.intro(pageTexts.exports.agreed(agreeing))}</p>
      <p class="buttons">
        <button type="button" onClick={() => attempt(() => client.startExport({ export_type: PUBLIC }))}>
          {pageTexts.exports.exportPublic}
        </button>
        <button type="button" onClick={() => attempt(() => client.startExport({ export_type: WITH_CONSENT }))}>
          {pageTexts.exports.exportPrivate}
        </button>
      </p>
      <Problem of={problem} />
      <ul class="settings-list">
        {present.reverse().map(({ id, export_time, export_type, export_url, failed_timestamp, acting_user_id }) => (
          <li key={id}>
            <span class="name">
              <Moment seconds={export_time} />
              <span class="quiet small">
                {pageTexts.exports.by(
                  export_type === PUBLIC ? pageTexts.exports.publicData : pageTexts.exports.privateData,
                  isolated(nameOf(session, acting_user_id)),
                )}
              </span>
            </span>
            {export_url && (
              <a href={export_url} download>
                {pageTexts.exports.download}
              </a>
            )}
            {failed_timestamp !== null && <span class="problem">{pageTexts.exports.failed}</span>}
            {export_url === null && failed_timestamp === null && <span class="quiet">{pageTexts.exports.running}</span>}
            {export_url && (
              <button
                type="button"
                aria-label={pageTexts.exports.deleteOne(fullTime(new Date(export_time * 1000)))}
                onClick={() => remove(id)}
              >
                {pageTexts.common.delete}
              </button>
            )}
          </li>
        ))}
      </ul>
      {answer.value && present.length === 0 && <p class="quiet">{pageTexts.exports.empty}</p>}
    </>
  )
}
