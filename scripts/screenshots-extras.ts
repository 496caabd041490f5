import sharp from 'sharp'
import type { FetchRequest } from '../src/network/post.ts'
import type { TestServer } from '../src/testing/index.ts'
import type { SeedName } from './screenshots-seed.ts'

type Server = TestServer<SeedName>

const article = '<meta property="og:title" content="How we made search ten times faster">'
const summary =
  '<meta property="og:description" content="One index, two caches and a lot of measuring: what helped, what didn’t, and what we would do first today.">'
const cover = sharp({ create: { width: 320, height: 320, channels: 3, background: '#35507a' } })
  .composite([
    { input: Buffer.from('<svg width="320" height="320"><circle cx="160" cy="160" r="90" fill="#e9c46a"/></svg>') },
  ])
  .png()
  .toBuffer()

/** Answers the server's requests for link previews, so that no picture needs a network. */
export async function answerPreviews({ url }: FetchRequest) {
  if (!url.startsWith('https://blog.')) return { status: 404, headers: {}, bytes: new Uint8Array() }
  const isImage = url.endsWith('.png')
  return {
    status: 200,
    headers: { 'content-type': isImage ? 'image/png' : 'text/html' },
    bytes: isImage
      ? await cover
      : Buffer.from(`${article}${summary}<meta property="og:image" content="https://blog.example.com/cover.png">`),
  }
}

const RATE = 8000
const SECONDS = 7

/** Speech: a tone whose loudness rises and falls, as a WAV file of 8 bits. */
function speech(): Uint8Array<ArrayBuffer> {
  const samples = RATE * SECONDS
  const file = Buffer.alloc(44 + samples)
  file.write('RIFF')
  file.writeUInt32LE(36 + samples, 4)
  file.write('WAVE', 8)
  file.write('fmt ', 12)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(RATE, 24)
  file.writeUInt32LE(RATE, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36)
  file.writeUInt32LE(samples, 40)
  for (let at = 0; at < samples; at++) {
    const seconds = at / RATE
    const loudness = Math.abs(Math.sin(seconds * 2.3) * Math.sin(seconds * 0.9 + 0.4))
    file[44 + at] = 128 + Math.round(110 * loudness * Math.sin(seconds * 2 * Math.PI * 220))
  }
  return new Uint8Array(file)
}

/** Things that people attach and set up: voice messages, link previews, calls, drafts, reminders and reports. */
export async function seedExtras(server: Server): Promise<void> {
  const { cordelia, iago, beatrice, benedick, orlando, rosalind, phebe, silvius } = server.people
  await iago.api.patch('/realm', {
    inline_url_embed_preview: true,
    video_chat_provider: 1,
    jitsi_server_url: 'https://meet.example.com',
  })
  const media = { stream: 'design', topic: 'launch film' } as const
  await beatrice.says('I wrote down how we did it: https://blog.example.com/search', media)
  const upload = async (who: typeof benedick, name: string) =>
    (await who.api.upload('/user_uploads', speech(), name)).url as string
  await benedick.says(
    `[voice-message-2026-11-24-0805.ogg](${await upload(benedick, 'voice-message-2026-11-24-0805.ogg')})`,
    media,
  )
  await rosalind.says(`The music, as a first idea: [theme.wav](${await upload(rosalind, 'theme.wav')})`, media)
  await beatrice.says('Shall we talk? [Join the call](https://meet.example.com/205918334471902)', media)
  await seedOwn(server)
  await iago.api.patch('/realm', { moderation_request_channel_id: await server.streamId('moderators') })
  const spam = await silvius.says('Cheap watches! https://watches.example.com', {
    stream: 'marketing',
    topic: 'offers',
  })
  await phebe.api.post(`/messages/${spam.id}/report`, { report_type: 'spam', description: 'The third one this week' })
  const code = Array.from({ length: 60 }, (_, at) => `step ${at + 1}: ok, ${(at * 37) % 90} ms`).join('\n')
  await orlando.says(`The log of the last deploy:\n\n\`\`\`\n${code}\n\`\`\``, {
    stream: 'engineering',
    topic: 'deploys',
  })
  const rude = await orlando.says('Nobody asked you.', { stream: 'random', topic: 'Coffee machine' })
  await cordelia.api.post(`/messages/${rude.id}/report`, { report_type: 'harassment', description: '' })
}

/** What belongs to Cordelia alone. */
async function seedOwn({ people, chat }: Server): Promise<void> {
  const { api } = people.cordelia
  const now = Math.floor(chat.clock.now() / 1000)
  const DAY = 86_400
  const channel = async (stream: string) => (await api.get('/get_stream_id', { stream })).stream_id as number
  const draft = (to: number, topic: string, content: string) => ({
    type: 'stream',
    to: [to],
    topic,
    content,
    timestamp: now,
  })
  await api.post('/drafts', {
    drafts: [
      draft(await channel('design'), 'colors', 'I measured it again on the projector, and it is'),
      draft(await channel('engineering'), 'deploys', 'Before we deploy on Friday, could somebody look at'),
      { type: 'private', to: [people.benedick.id], topic: '', content: 'About the printers:', timestamp: now - DAY },
    ],
  })
  const later = (content: string, seconds: number) =>
    channel('announcements').then((to) =>
      api.post('/scheduled_messages', {
        type: 'channel',
        to,
        topic: 'all hands',
        content,
        scheduled_delivery_timestamp: now + seconds,
      }),
    )
  await later('Reminder: all hands in the big room, in ten minutes.', DAY)
  await later('The recording of the all hands is in the folder.', 2 * DAY)
  const { messages } = await api.get('/messages', {
    anchor: 'newest',
    num_before: 3,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: 'support' }],
  })
  await api.post('/reminders', {
    message_id: messages.at(-1).id,
    scheduled_delivery_timestamp: now + DAY,
    note: 'Answer the customer',
  })
  await api.post('/saved_snippets', { title: 'Thanks', content: 'Thank you, we will look at it today.' })
  await api.post('/saved_snippets', {
    title: 'Invoice',
    content: 'Which invoice is it? Its number is at the top right.',
  })
  await api.post('/users/me/exports')
}
