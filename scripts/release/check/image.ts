import assert from 'node:assert/strict'
import { needTools, run } from '../tools.ts'
import { accountIn, has, send } from './server.ts'

const MAX_MIB = 200

/** With what also works where no systemd runs, and where cgroups have both versions: other defaults of Podman do not. */
const everywhere = ['--storage-driver', 'vfs', '--runtime', 'runc', '--cgroup-manager', 'cgroupfs']

const podman = (...args: string[]): string => run('podman', [...everywhere, ...args])

/**
 * Loads the images, and runs the previous and then the new one on the same volume, with a read-only root and no
 * capabilities.
 *
 * @param port - a free port of this machine, whose network the containers share
 */
export async function checkImage(previous: string, archive: string, port: number): Promise<void> {
  needTools('podman')
  const volume = `chat-server-check-${process.pid}`
  const load = (file: string) => /Loaded image: *(\S+)/.exec(podman('load', '--quiet', '--input', file))![1]!
  const images = [load(previous), load(archive)] as const
  const containers: string[] = []
  const url = `http://127.0.0.1:${port}`
  const serve = async (image: string) => {
    const hardened = ['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges']
    const settings = ['--env', 'CHAT_HOST=127.0.0.1', '--env', `CHAT_PORT=${port}`, '--volume', `${volume}:/data`]
    const began = performance.now()
    const shared = [
      '--network=host',
      '--ulimit=nofile=1024:1024',
      '--ulimit=nproc=4096:4096',
      '--health-interval=disable',
    ]
    const id = podman('run', '--detach', ...shared, ...hardened, ...settings, image)
      .split('\n')
      .at(-1)!
    containers.push(id)
    await ready(url)
    return { id, milliseconds: Math.round(performance.now() - began) }
  }
  const end = (id: string) => {
    podman('stop', id)
    assert.equal(podman('inspect', '--format', '{{.State.ExitCode}}', id), '0')
    podman('rm', id)
    containers.splice(containers.indexOf(id), 1)
  }
  try {
    const mib = Number(podman('image', 'inspect', '--format', '{{.Size}}', images[1])) / 2 ** 20
    assert.ok(mib < MAX_MIB, `the image has ${mib} MiB unpacked`)
    const first = await serve(images[0])
    const account = accountIn(podman('logs', first.id))!
    await send(url, account, 'first')
    podman('healthcheck', 'run', first.id)
    podman('restart', first.id)
    await ready(url)
    await has(url, account, 'first')
    const before = podman('exec', first.id, 'chat-server', '--version')
    end(first.id)
    const second = await serve(images[1])
    await has(url, account, 'first')
    await send(url, account, 'second')
    assert.notEqual(podman('exec', second.id, 'chat-server', '--version'), before)
    assert.match(podman('exec', second.id, 'chat-server', 'doctor'), /smaller copies by sharp/)
    podman('healthcheck', 'run', second.id)
    end(second.id)
    assert.equal(podman('volume', 'ls', '--quiet', '--filter', `name=${volume}`), volume)
    console.log(
      `ok  image: ${Math.round(mib)} MiB unpacked, answers after ${second.milliseconds} ms, upgrades, is healthy`,
    )
  } finally {
    for (const id of containers) podman('rm', '--force', id)
    podman('volume', 'rm', '--force', volume)
    podman('rmi', '--force', ...images)
  }
}

/** Waits until the server answers. Throws after a minute. */
async function ready(url: string): Promise<void> {
  const deadline = performance.now() + 60_000
  while (
    !(await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (performance.now() > deadline) throw new Error('the container does not answer')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
