import { pageTexts } from '../../../texts/page-texts.ts'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'

/** The mobile apps that are registered for the account. */
export function Devices() {
  const session = useSession()
  const devices = Object.entries(session.read('devices').devices)
  return (
    <>
      <h3>{pageTexts.sessions.devices}</h3>
      <p class="quiet">{devices.length === 0 ? pageTexts.sessions.noDevices : pageTexts.sessions.devicesIntro}</p>
      <ul class="sessions">
        {devices.map(([id, { push_token_id }]) => (
          <li key={id}>
            <span class="name">{pageTexts.sessions.device(id)}</span>
            <span class="quiet small">
              {push_token_id === null ? pageTexts.sessions.deviceQuiet : pageTexts.sessions.devicePush}
            </span>
            <button
              type="button"
              aria-label={pageTexts.sessions.removeDeviceName(id)}
              onClick={() => attempt(() => session.client.removeDevice({ device_id: Number(id) }))}
            >
              {pageTexts.common.remove}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
