import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { parse } from 'yaml'

// What can be held of an image where none can be built.

const root = new URL('../../', import.meta.url)
const file = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const dockerfile = DockerfileParser.parse(file('deploy/Dockerfile'))
const instructions = (keyword: string) => dockerfile.getInstructions().filter((each) => each.getKeyword() === keyword)
const text = (keyword: string): string => instructions(keyword).at(-1)!.getArgumentsContent()!

interface Service {
  build?: { context: string; dockerfile: string }
  environment: Record<string, string>
  volumes: string[]
  ports?: string[]
}

const compose: {
  services: Record<'chat' | 'caddy', Service>
  volumes: Record<string, null>
  networks: { default: { ipam: { config: { subnet: string }[] } } }
} = parse(file('deploy/compose.yaml'))

test('the linter reports no problems in the Dockerfile', () => {
  assert.deepEqual(
    validate(file('deploy/Dockerfile')).map(({ message, range }) => `${range.start.line + 1}: ${message}`),
    [],
  )
})

test("the server is the container's first process, unprivileged, with its data in a volume", () => {
  const entry = JSON.parse(text('ENTRYPOINT')) as string[]
  const { bin, name } = JSON.parse(file('package.json')) as { bin: Record<string, string>; name: string }
  // Exec form: a shell in between would keep the signals to itself.
  assert.deepEqual(entry, [`/app/node_modules/.bin/${name}`])
  assert.match(file('bin/chat-server.ts'), /^#!\/usr\/bin\/env node\n/)
  assert.ok(bin[name])
  assert.doesNotMatch(file('deploy/Dockerfile'), /^STOP/m, 'SIGTERM, by which the server ends in order')
  assert.equal(text('USER'), 'node')
  const data = text('VOLUME')
  assert.match(text('ENV'), new RegExp(`CHAT_DB=${data}/`))
  const lines = file('deploy/Dockerfile')
  assert.ok(
    lines.indexOf(`chown node:node ${data}`) < lines.indexOf('VOLUME'),
    'what is done to a volume later is lost',
  )
  assert.ok(compose.services.chat.volumes.some((each) => each.endsWith(`:${data}`)))
})

test('each stage copies existing files or earlier stages', () => {
  const source = file('deploy/Dockerfile')
  const stages = [...source.matchAll(/^FROM .* AS (\w+)$/gm)].map(([, stage]) => stage)
  const copies = [...source.matchAll(/^COPY (?:--from=(\w+) )?(\S+) \S+$/gm)]
  assert.equal(copies.length, instructions('COPY').length)
  for (const [line, from, path] of copies) {
    if (from) assert.ok(stages.includes(from) && source.includes(`--prefix ${path} `), line)
    else assert.ok(existsSync(new URL(path!, root)), line)
  }
  const ignored = file('.dockerignore').split('\n')
  // This machine's files wouldn't run in the image, and a database doesn't belong in it.
  for (const path of ['node_modules', 'dist', '*.db*']) assert.ok(ignored.includes(path), path)
  const { scripts, engines } = JSON.parse(file('package.json')) as Record<string, Record<string, string>>
  assert.equal(scripts!.prepack, 'npm run build')
  const node = Number(/^node:(\d+)-/.exec(instructions('FROM')[0]!.getArgumentsContent()!)![1])
  assert.ok(node >= Number(/\d+/.exec(engines!.node!)![0]))
})

test('variables of the container and compose file exist as options', async () => {
  const { program } = await import('../../bin/program.ts')
  const serve = program().commands.find((each) => each.name() === 'serve')!
  const known = serve.options.map((option) => option.envVar)
  const set = [...text('ENV').matchAll(/(\w+)=/g)].map(([, name]) => name!)
  for (const name of [...set, ...Object.keys(compose.services.chat.environment)]) assert.ok(known.includes(name), name)
})

test('compose builds this Dockerfile, mounts existing files and trusts only its own network', () => {
  const { chat, caddy } = compose.services
  const folder = new URL('deploy/', root)
  assert.ok(existsSync(new URL(`${chat.build!.context}/${chat.build!.dockerfile}`, folder)))
  for (const volume of [...chat.volumes, ...caddy.volumes]) {
    const [from] = volume.split(':')
    assert.ok(from!.startsWith('.') ? existsSync(new URL(from!, folder)) : from! in compose.volumes, volume)
  }
  assert.equal(chat.environment.CHAT_TRUST_PROXY, compose.networks.default.ipam.config[0]!.subnet)
  assert.equal(chat.ports, undefined, 'only the proxy is reached from outside')
  assert.equal(caddy.environment.CHAT_UPSTREAM, `chat:${text('EXPOSE')}`)
  assert.ok(file('deploy/Caddyfile').includes('{$CHAT_UPSTREAM:'))
})

test('the health check queries the served port', () => {
  const check = JSON.parse(text('HEALTHCHECK').replace(/^CMD /, '')) as string[]
  assert.deepEqual(check.slice(0, 2), ['node', '-e'])
  assert.match(check[2]!, /process\.env\.CHAT_PORT \?\? 9991/)
  assert.equal(text('EXPOSE'), '9991')
  assert.doesNotThrow(() => new Function(check[2]!))
})
