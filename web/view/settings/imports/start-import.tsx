import { useSignal } from '@preact/signals'
import { uploadArchive } from '../../../model/writing/archive-upload.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { FileInput } from '../../parts/file-input.tsx'
import { Problem, reasonOf } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import type { Imports } from './types.ts'

/** Asks for an export: a file of this device, or one that lies on the server. */
export function StartImport({ answer, load }: { answer: Imports; load(): Promise<void> }) {
  const session = useSession()
  const { client } = session
  const problem = useSignal('')
  const server = useSignal('')
  const attempt = async (work: () => Promise<unknown>) => {
    problem.value = ''
    try {
      await work()
    } catch (error) {
      problem.value = reasonOf(error)
    }
  }
  const upload = (file: File | undefined) =>
    attempt(async () => {
      if (!file) return
      const { upload_url } = await client.createImportJob({ filename: file.name, size: file.size })
      await load()
      await uploadArchive(session, file, upload_url!, answer.max_piece_bytes)
    }).then(load)
  const check = () =>
    attempt(async () => {
      await client.createImportJob({ server_file: server.value })
      await load()
    })
  return (
    <div class="card import-start">
      <label>
        {pageTexts.imports.choose}
        <FileInput onChange={(event) => void upload(event.currentTarget.files?.[0])} />
      </label>
      {answer.server_files && (
        <div class="beside">
          <label>
            {pageTexts.imports.onServer}
            <select value={server.value} onChange={(event) => (server.value = event.currentTarget.value)}>
              <option value="" />
              {answer.server_files.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <button type="button" disabled={server.value === ''} onClick={() => void check()}>
            {pageTexts.imports.prepare}
          </button>
        </div>
      )}
      <Problem of={problem} />
    </div>
  )
}
