import { useSignal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { createRecorder, type Recording } from '../../model/writing/voice-recorder.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { clockTime } from '../content/clock-time.ts'
import { closeDialog, openPopover } from '../parts/dialog.tsx'
import { Problem, reasonOf } from '../parts/notices.tsx'

/** Records a voice message, and gives its file to the composer. */
export const openVoiceForm = (add: (files: readonly File[]) => void): void =>
  openPopover(pieceTexts.voice.title, <VoiceForm add={add} />)

function VoiceForm({ add }: { add(files: readonly File[]): void }) {
  const [{ seconds, levels, begin }] = useState(createRecorder)
  const recording = useRef<Recording | undefined>(undefined)
  const isRecording = useSignal(false)
  const problem = useSignal('')
  const end = async () => {
    const own = recording.current
    if (!own) return
    recording.current = undefined
    const file = await own.end()
    closeDialog()
    add([file])
  }
  useEffect(() => {
    let isClosed = false
    begin(() => void end()).then(
      (begun) => {
        // Closed before the reader allowed the microphone.
        if (isClosed) return begun.discard()
        recording.current = begun
        isRecording.value = true
      },
      (error: unknown) => (problem.value = reasonOf(error)),
    )
    return () => {
      isClosed = true
      recording.current?.discard()
    }
  }, [])
  return (
    <form
      class="voice-form"
      onSubmit={(event) => {
        event.preventDefault()
        void end()
      }}
    >
      <div class="levels" aria-hidden="true">
        {levels.value.map((level, i) => (
          <span key={i} ref={(bar) => bar?.style.setProperty('--level', String(Math.max(0.06, level)))} />
        ))}
      </div>
      <p class="quiet" role="status">
        {isRecording.value ? pieceTexts.voice.recording : problem.value ? '' : pieceTexts.voice.waiting}{' '}
        {isRecording.value && <span aria-hidden="true">{clockTime(seconds.value)}</span>}
      </p>
      <Problem of={problem} />
      <footer>
        <button type="button" onClick={closeDialog}>
          {texts.common.cancel}
        </button>
        <button type="submit" class="primary" disabled={!isRecording.value}>
          {pieceTexts.voice.add}
        </button>
      </footer>
    </form>
  )
}
