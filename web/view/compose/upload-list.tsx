import { uploads } from '../../model/writing/uploads.ts'
import { Icon } from '../parts/icon.tsx'

/** Files on their way. */
export function UploadList() {
  if (uploads.value.length === 0) return null
  return (
    <ul class="uploads">
      {uploads.value.map(({ id, name, progress, cancel }) => (
        <li key={id}>
          <span class="name">{name}</span>
          <progress value={progress} max={1} aria-label={`Uploading ${name}`} />
          <button type="button" class="icon-button" aria-label={`Cancel ${name}`} onClick={cancel}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}
