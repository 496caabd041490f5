import { attachmentsIn } from '../../model/writing/attachments.ts'
import { composerOf, write } from '../../model/writing/compose.ts'
import { uploadsOf, withoutFile } from '../../model/writing/uploads.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { useSession } from '../session-context.ts'

/** The files of the message: those on their way, with their progress, and those that are in the text. */
export function AttachmentList() {
  const session = useSession()
  const { content, quoteText } = composerOf(session)
  // Those in quotes are other people's.
  const quoted = quoteText.value
  const text = content.value.slice(quoted.length)
  const attached = attachmentsIn(session, text)
  const { underWay } = uploadsOf(session)
  if (underWay.value.length + attached.length === 0) return null
  return (
    <ul class="attachments" aria-label={pieceTexts.attachments.files}>
      {attached.map(({ name, picture, markdown }) => (
        <li key={markdown}>
          <Picture of={picture} />
          <span class="name">{name}</span>
          <IconButton
            icon="close"
            label={pieceTexts.attachments.remove(name)}
            onClick={() => write(session, quoted + withoutFile(text, markdown))}
          />
        </li>
      ))}
      {underWay.value.map(({ id, name, picture, progress, cancel }) => (
        <li key={id}>
          <Picture of={picture} />
          <span class="name">{name}</span>
          <progress value={progress} max={1} aria-label={texts.compose.uploading(name)} />
          <button
            type="button"
            class="icon-button"
            aria-label={pieceTexts.attachments.cancelUpload(name)}
            onClick={cancel}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}

const Picture = ({ of }: { of: string | undefined }) =>
  of ? <img class="picture" src={of} alt="" /> : <Icon name="attach" />
