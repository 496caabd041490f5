import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { DialogFooter, openDialog, useDialogWork } from '../../parts/dialog.tsx'
import { Problem } from '../../parts/notices.tsx'

/** As large as the picture is shown while it is cropped, and as it is sent at most. */
const SHOWN_PX = 288
const SENT_PX = 512
const MOST_ZOOM = 4
/** How far an arrow key moves the picture, as a part of what is visible. */
const KEY_STEP = 0.05

/**
 * Asks which part of an image is the profile picture, and saves it. Animations, and files that this browser can't
 * read, have no parts.
 */
export async function cropPicture(
  file: File,
  save: (part: File) => Promise<unknown>,
  saveWhole: () => void,
): Promise<void> {
  const image = file.type === 'image/gif' ? undefined : await createImageBitmap(file).catch(() => undefined)
  if (!image) return saveWhole()
  openDialog(pageTexts.crop.title, <Cropper file={file} image={image} save={save} />)
}

interface CropperProps {
  file: File
  image: ImageBitmap
  save(file: File): Promise<unknown>
}

function Cropper({ file, image, save }: CropperProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const zoom = useSignal(1)
  /** The middle of the part, in pixels of the image. */
  const middle = useSignal({ x: image.width / 2, y: image.height / 2 })
  const { problem, run } = useDialogWork()
  /** How long a side of the part is, in pixels of the image. */
  const side = Math.min(image.width, image.height) / zoom.value
  const within = (at: number, length: number) => Math.min(length - side / 2, Math.max(side / 2, at))
  const [x, y] = [within(middle.value.x, image.width), within(middle.value.y, image.height)]
  const draw = (on: HTMLCanvasElement) => {
    const { width } = on
    const pen = on.getContext('2d')!
    pen.imageSmoothingQuality = 'high'
    pen.clearRect(0, 0, width, width)
    pen.drawImage(image, x - side / 2, y - side / 2, side, side, 0, 0, width, width)
  }
  useLayoutEffect(() => draw(canvas.current!))
  const moveBy = (across: number, down: number) => {
    middle.value = { x: x + across * side, y: y + down * side }
  }
  const zoomTo = (to: number) => {
    middle.value = { x, y }
    zoom.value = Math.min(MOST_ZOOM, Math.max(1, to))
  }
  const steps: Readonly<Record<string, readonly [across: number, down: number]>> = {
    ArrowLeft: [-KEY_STEP, 0],
    ArrowRight: [KEY_STEP, 0],
    ArrowUp: [0, -KEY_STEP],
    ArrowDown: [0, KEY_STEP],
  }
  const onSubmit = (event: Event) => {
    event.preventDefault()
    const px = Math.round(Math.min(SENT_PX, side))
    const cut = Object.assign(document.createElement('canvas'), { width: px, height: px })
    draw(cut)
    void run(async () => save(await fileOf(cut, file)))
  }
  return (
    <form class="cropper" onSubmit={onSubmit}>
      <canvas
        ref={canvas}
        width={SHOWN_PX}
        height={SHOWN_PX}
        tabIndex={0}
        role="img"
        aria-label={pageTexts.crop.help}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (event.buttons !== 1) return
          const { width } = event.currentTarget.getBoundingClientRect()
          moveBy(-event.movementX / width, -event.movementY / width)
        }}
        onWheel={(event) => {
          event.preventDefault()
          zoomTo(zoom.value * (event.deltaY < 0 ? 1.1 : 1 / 1.1))
        }}
        onKeyDown={(event) => {
          const step = steps[event.key]
          if (!step) return
          event.preventDefault()
          moveBy(...step)
        }}
      />
      <p class="quiet small">{pageTexts.crop.help}</p>
      <label>
        {pageTexts.crop.zoom}
        <input
          type="range"
          min={1}
          max={MOST_ZOOM}
          step={0.05}
          value={zoom.value}
          onInput={(event) => zoomTo(Number(event.currentTarget.value))}
        />
      </label>
      <Problem of={problem} />
      <DialogFooter action={texts.common.save} />
    </form>
  )
}

/** The part as a file: like the original a photo, or an image that may be transparent. */
async function fileOf(cut: HTMLCanvasElement, { name, type }: File): Promise<File> {
  const format = type === 'image/jpeg' ? 'image/jpeg' : 'image/png'
  const blob = await new Promise<Blob | null>((resolve) => cut.toBlob(resolve, format, 0.92))
  return new File([blob!], `${name.replace(/\.\w+$/, '')}.${format === 'image/jpeg' ? 'jpg' : 'png'}`, { type: format })
}
