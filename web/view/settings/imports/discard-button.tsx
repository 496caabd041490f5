import { pageTexts } from '../../../texts/page-texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { useSession } from '../../session-context.ts'

/** Asks before the archive and the choices are deleted. */
export function DiscardButton({ load }: { load(): Promise<void> }) {
  const { client } = useSession()
  const ask = () =>
    confirm({
      title: pageTexts.imports.discardTitle,
      text: pageTexts.imports.discardText,
      action: pageTexts.imports.discard,
      run: async () => {
        await client.discardImportJob()
        await load()
      },
    })
  return (
    <button type="button" onClick={ask}>
      {pageTexts.imports.discard}
    </button>
  )
}
