import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { importKind, importReason } from './import-words.ts'
import type { Report } from './types.ts'

type Remarks = Report['changed']

/** The counts of an import by kind, with its changes and omissions. */
export function ImportReport({ report }: { report: Report }) {
  const kinds = Object.keys(report.found)
  return (
    <div class="import-report">
      <table>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind}>
              <th scope="row">{importKind(kind)}</th>
              <td>{pageTexts.imports.countOf(report.imported[kind] ?? 0, report.found[kind]!)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <RemarkList title={pageTexts.imports.leftOut} remarks={report.left_out} />
      <RemarkList title={pageTexts.imports.changed} remarks={report.changed} />
    </div>
  )
}

function RemarkList({ title, remarks }: { title: string; remarks: Remarks }) {
  if (remarks.length === 0) return null
  return (
    <details>
      <summary>{`${title} (${remarks.reduce((sum, { count }) => sum + count, 0)})`}</summary>
      <ul>
        {remarks.map(({ kind, reason, code, count, places }) => (
          <li key={`${kind} ${reason}`}>
            {texts.common.labeled(`${count} × ${importKind(kind)}`, importReason({ reason, code }))}
            <span class="quiet small">{places.join(', ')}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
