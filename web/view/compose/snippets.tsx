import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Session } from '../../model/state/session.ts'
import { composerOf } from '../../model/writing/compose.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { closeDialog, openDialog, openPopover } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Problem, reasonFor } from '../parts/notices.tsx'
import { SnippetForm } from './snippet-form.tsx'

type Snippet = Awaited<ReturnType<Session['client']['listSavedSnippets']>>['saved_snippets'][number]

interface SnippetsProps {
  session: Session
  insert(text: string): void
}

/** Shows the reader's saved snippets, to insert, change and delete them. */
export const openSnippets = (session: Session, insert: (text: string) => void): void =>
  openPopover(pieceTexts.snippets.title, <Snippets session={session} insert={insert} />)

function Snippets({ session, insert }: SnippetsProps) {
  const { client } = session
  const all = useSignal<readonly Snippet[] | undefined>(undefined)
  const query = useSignal('')
  const problem = useSignal('')
  const removed = useSignal<Snippet | undefined>(undefined)
  const load = async () => {
    try {
      all.value = (await client.listSavedSnippets()).saved_snippets
    } catch (error) {
      problem.value = await reasonFor(error)
    }
  }
  useEffect(() => void load(), [])
  const change = async (work: () => Promise<unknown>) => {
    problem.value = ''
    try {
      await work()
    } catch (error) {
      problem.value = await reasonFor(error)
    }
    await load()
  }
  const remove = (snippet: Snippet) =>
    change(async () => {
      await client.deleteSavedSnippet({ saved_snippet_id: snippet.id })
      removed.value = snippet
    })
  const bringBack = (snippet: Snippet) =>
    change(async () => {
      const { title, content } = snippet
      removed.value = undefined
      try {
        await client.createSavedSnippet({ title, content })
      } catch (error) {
        // It is nowhere else, so the reader can try again.
        removed.value ??= snippet
        throw error
      }
    })
  const edit = (snippet?: Snippet) =>
    openDialog(
      snippet ? pieceTexts.snippets.edit : pieceTexts.snippets.add,
      <SnippetForm
        title={snippet?.title ?? ''}
        content={snippet?.content ?? composerOf(session).content.peek()}
        save={(values) =>
          snippet
            ? client.updateSavedSnippet({ saved_snippet_id: snippet.id, ...values })
            : client.createSavedSnippet(values)
        }
      />,
    )
  const wanted = query.value.trim().toLocaleLowerCase()
  const found = (all.value ?? []).filter(({ title, content }) =>
    `${title}\n${content}`.toLocaleLowerCase().includes(wanted),
  )
  return (
    <div class="snippets">
      {(all.value?.length ?? 0) > 0 && (
        <input
          type="search"
          aria-label={pieceTexts.snippets.find}
          placeholder={pieceTexts.snippets.find}
          onInput={(event) => (query.value = event.currentTarget.value)}
        />
      )}
      {all.value?.length === 0 && <p class="quiet">{pieceTexts.snippets.empty}</p>}
      {wanted !== '' && found.length === 0 && <p class="quiet">{pieceTexts.palette.nothing}</p>}
      <ul>
        {found.map((snippet) => (
          <li key={snippet.id}>
            <button
              type="button"
              class="row"
              onClick={() => {
                closeDialog()
                insert(snippet.content)
              }}
            >
              <span class="name">
                {snippet.title}
                <span class="quiet small excerpt">{snippet.content}</span>
              </span>
            </button>
            <IconButton icon="pencil" label={pieceTexts.snippets.editName(snippet.title)} run={() => edit(snippet)} />
            <IconButton icon="close" label={pieceTexts.snippets.remove(snippet.title)} run={() => remove(snippet)} />
          </li>
        ))}
      </ul>
      <Problem of={problem} />
      <p role="status">
        {removed.value && (
          <>
            {pieceTexts.snippets.removed(removed.value.title)}{' '}
            <button type="button" onClick={() => void bringBack(removed.value!)}>
              {texts.common.undo}
            </button>
          </>
        )}
      </p>
      <button type="button" class="add" onClick={() => edit()}>
        <Icon name="plus" /> {pieceTexts.snippets.add}
      </button>
    </div>
  )
}

const IconButton = ({ icon, label, run }: { icon: 'pencil' | 'close'; label: string; run(): unknown }) => (
  <button type="button" class="icon-button" aria-label={label} title={label} onClick={() => void run()}>
    <Icon name={icon} />
  </button>
)
