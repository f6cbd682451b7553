import { total } from "../src";

console.log(total([]), process.env.SHOP_LIMIT);
