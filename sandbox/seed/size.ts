/** How much the seed makes. */

/** Cards set aside in the fixtures file. */
export interface PoolSizes {
  active: number;
  disposable: number;
  unused: number;
  fraud: number;
  foreign: number;
}

export interface SeedSize {
  /** Customers within reach, 5 at least. */
  customers: number;
  /** Cards within reach beside those of the pools, 4 at least. */
  cards: number;
  /** Customers of the portal login, itself included; at most as many as `customers` has in that branch. */
  portalCustomers: number;
  pools: PoolSizes;
  /** What identifies customers and cards, made of the UUID that they have by default. */
  identifier: (uuid: string) => string;
}

export const defaultSize: SeedSize = {
  customers: 150,
  cards: 150,
  portalCustomers: 40,
  pools: { active: 8, disposable: 10, unused: 5, fraud: 4, foreign: 4 },
  identifier: (uuid) => uuid,
};
