import { Icon, type IconName } from './icon.tsx'

interface IconButtonProps {
  icon: IconName
  label: string
  /** What the pointer shows, if that differs from the label. */
  title?: string
  filled?: boolean
  class?: string
  disabled?: boolean
  'aria-pressed'?: boolean
  onClick(): unknown
}

/** A button that shows an icon instead of its label. */
export const IconButton = ({ icon, label, filled = false, class: kind = '', ...rest }: IconButtonProps) => (
  <button type="button" class={`icon-button ${kind}`} aria-label={label} title={label} {...rest}>
    <Icon name={icon} filled={filled} />
  </button>
)
