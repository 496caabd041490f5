import assert from 'node:assert/strict'
import test from 'node:test'
import { isPublicAddress } from '../../src/network/addresses.ts'

const refused = `
0.0.0.0 10.0.0.1 10.255.255.255 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1
192.0.2.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
:: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b:1::1
100::1 2001::1 2001:2::1 2001:10::1 2001:db8::1 2002:7f00:1::1 fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1
localhost example.com 1.2.3 999.1.1.1
`
const open = `
1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.1 172.15.255.255 172.32.0.1 192.0.1.1 192.167.255.255 198.17.255.255 223.255.255.255
2606:4700:4700::1111 2a00:1450:4001:81b::200e 2400:cb00::1
`
const list = (text: string) => text.trim().split(/\s+/)

test('treats private, loopback and translated addresses as not public', () => {
  for (const address of list(refused)) assert.equal(isPublicAddress(address), false, address)
})

test('treats other addresses as public', () => {
  for (const address of list(open)) assert.equal(isPublicAddress(address), true, address)
})
