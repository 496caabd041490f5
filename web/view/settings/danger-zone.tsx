import { pageTexts } from '../../texts/page-texts.ts'

interface DangerZoneProps {
  /** What will happen. */
  about: string
  action: string
  onClick(): void
}

/** What is hard to undo, after everything else. */
export const DangerZone = ({ about, action, onClick }: DangerZoneProps) => (
  <section class="danger-zone" aria-label={pageTexts.organization.danger}>
    <p class="field-label">{pageTexts.organization.danger}</p>
    <p class="quiet small">{about}</p>
    <button type="button" class="dangerous" onClick={onClick}>
      {action}
    </button>
  </section>
)
