import { uploads } from '../../model/writing/uploads.ts'
import { texts } from '../../texts/texts.ts'
import { Icon } from '../parts/icon.tsx'

/** Files on their way. */
export function UploadList() {
  if (uploads.value.length === 0) return null
  return (
    <ul class="uploads">
      {uploads.value.map(({ id, name, progress, cancel }) => (
        <li key={id}>
          <span class="name">{name}</span>
          <progress value={progress} max={1} aria-label={texts.compose.uploading(name)} />
          <button type="button" class="icon-button" aria-label={texts.compose.cancelUpload(name)} onClick={cancel}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}
