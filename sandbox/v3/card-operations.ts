/** Operations that change a card, except transfers. Source: "Cards" of the token, users and cards document. */
import { createHash } from 'node:crypto';
import type { Call } from '../call.ts';
import { members, readMembers } from '../members.ts';
import { shownCard } from './cards.ts';
import { findCard } from './find-card.ts';
import { checkState, move, refreshRecord, touch } from './states.ts';

const nonceBody = members({ nonce: 'string' });
const reissueBody = members({ externalIdentifier: 'string' });
const pinBody = members({ pin: 'string!' });

/** activate, suspend, unsuspend, unmarkfraud, marklost: without body in request and answer. */
export function changeState(call: Call): undefined {
  const card = findCard(call);
  checkState(call, card);
  move(call, card);
}

/** POST /cards/{identifier}/close */
export function close(call: Call): undefined {
  const card = findCard(call);
  checkState(call, card);
  const mayClose = call.rules.closesWithBalance || card.balanceCents === 0;
  call.check(mayClose, 'state', 'balance', 'A card with a balance is not closed.');
  move(call, card);
}

/** POST /cards/{identifier}/wallet-provisioned */
export function markWalletProvisioned(call: Call): undefined {
  const card = findCard(call);
  checkState(call, card);
  call.effect(() => {
    card.isProvisionedToWallet = true;
    card.provisionedDate = call.now;
    touch(call, card);
  }, card);
}

/** POST /cards/{identifier}/reissue; externalIdentifier is optional. */
export function reissue(call: Call): undefined {
  const card = findCard(call);
  const { externalIdentifier } = readMembers(call, call.object(), reissueBody);
  checkState(call, card);
  call.effect(() => {
    card.reissues.push(typeof externalIdentifier === 'string' ? externalIdentifier : null);
    touch(call, card);
  }, card);
}

/** POST /cards/{identifier}/pin: four to twelve digits. */
export function setPin(call: Call): undefined {
  const card = findCard(call);
  const { pin } = readMembers(call, call.object(), pinBody);
  const digits = pin === undefined || /^\d{4,12}$/.test(String(pin));
  call.check(digits, 'range', 'pin', 'A PIN is four to twelve digits.');
  checkState(call, card);
  call.effect(() => {
    card.pin = pin === undefined ? undefined : String(pin);
    touch(call, card);
  }, card);
}

/** POST /cards/{identifier}/encrypt-for-vde; body and nonce are optional, and a nonce works once per card. */
export function encryptForVde(call: Call): unknown {
  const card = findCard(call);
  const { nonce } = readMembers(call, call.object(false), nonceBody);
  checkState(call, card);
  if (nonce !== undefined) {
    const used = `${card.identifier} ${nonce}`;
    call.check(!call.backend.nonces.has(used), 'duplicate', 'nonce', 'A nonce is used once.');
    call.effect(() => {
      call.backend.nonces.add(used);
    });
  }
  const payload = createHash('sha512')
    .update(`${card.identifier} ${nonce ?? ''} ${call.nowMs}`)
    .digest('base64');
  return { encryptedPayload: payload };
}

/** GET /cards/{identifier}/resync, listed only: refreshes the stored record. */
export function resync(call: Call): unknown {
  const card = findCard(call);
  call.effect(() => {
    refreshRecord(call, card, 'status');
    refreshRecord(call, card, 'balance');
  });
  return shownCard(call, card);
}

/** POST /cards/{identifier}/replace, listed only: like reissue without a body. */
export function replace(call: Call): undefined {
  const card = findCard(call);
  checkState(call, card);
  call.effect(() => {
    card.reissues.push(null);
    touch(call, card);
  }, card);
}
