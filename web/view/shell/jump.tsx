import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { destinations } from '../../model/navigation/destinations.ts'
import { current } from '../../model/state/account.ts'
import { go } from '../../model/state/route.ts'
import { texts } from '../../texts/texts.ts'
import { isComposed } from '../keys/key-name.ts'
import { closeDialog, openDialog } from '../parts/dialog.tsx'

/** Opens any view, stream or user by a part of its name. */
export function openJump(): void {
  openDialog(texts.shell.jumpTitle, <Jump />)
}

function Jump() {
  const session = current.value
  const query = useSignal('')
  const active = useSignal(0)
  const id = useId()
  const found = destinations(session, query.value)
  const open = (address: string | undefined) => {
    if (address === undefined) return
    closeDialog()
    go(address)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposed(event)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) active.value = (active.value + step + found.length) % Math.max(1, found.length)
    else if (event.key === 'Enter') open(found[active.value]?.address)
    else return
    event.preventDefault()
  }
  return (
    <div class="jump">
      <input
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-label={texts.shell.jumpLabel}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${active.value}` : undefined}
        placeholder={texts.shell.jumpPlaceholder}
        autofocus
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value
          active.value = 0
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} class="suggestions" role="listbox" aria-label={texts.shell.jumpResults}>
        {found.map(({ label, kind, address }, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys.
          <div
            key={address}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === active.value}
            onClick={() => open(address)}
          >
            <span class="name">{label}</span>
            <span class="quiet small">{kind}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
