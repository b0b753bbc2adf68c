// Generated from the schemas of requests and records by "npm run generate": do not edit.
"use strict";
exports.importPasswordHash = validate10;
const schema11 = {"type":"object","properties":{"email":{"type":"string","description":"Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.","minLength":1,"maxLength":256,"pattern":"^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$","x-normalise":"email","x-why":{"pattern":"must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs"}},"passwordHash":{"type":"string","minLength":1,"x-normalise":"trim","x-messages":{"minLength":"Password hash cannot be an empty string"}},"hashingAlgorithm":{"type":"string","description":"The kind of the hash. May be left out where the hash itself shows it."},"passwordTransforms":{"type":"string","description":"What the source did to the typed password before it hashed it, such as `slashed,md5-hex`: see docs/reference/hashes.md."}},"required":["email","passwordHash"]};
const pattern0 = new RegExp("^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.passwordHash === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "passwordHash"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.email !== undefined){
let data0 = data.email;
if(typeof data0 === "string"){
if(data0.length > 256){
const err2 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!pattern0.test(data0)){
const err4 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.passwordHash !== undefined){
let data1 = data.passwordHash;
if(typeof data1 === "string"){
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/passwordHash",schemaPath:"#/properties/passwordHash/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/passwordHash",schemaPath:"#/properties/passwordHash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.hashingAlgorithm !== undefined){
if(typeof data.hashingAlgorithm !== "string"){
const err8 = {instancePath:instancePath+"/hashingAlgorithm",schemaPath:"#/properties/hashingAlgorithm/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.passwordTransforms !== undefined){
if(typeof data.passwordTransforms !== "string"){
const err9 = {instancePath:instancePath+"/passwordTransforms",schemaPath:"#/properties/passwordTransforms/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}

exports.signUp = validate11;
const schema12 = {"type":"object","properties":{"email":{"type":"string","description":"Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.","minLength":1,"maxLength":256,"pattern":"^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$","x-normalise":"email","x-why":{"pattern":"must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs"}},"password":{"type":"string","description":"At most 4096 bytes of UTF-8; neither trimmed nor normalised.","minLength":1,"x-maxBytes":4096,"x-messages":{"minLength":"Password cannot be an empty string"}}},"required":["email","password"]};

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.password === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "password"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.email !== undefined){
let data0 = data.email;
if(typeof data0 === "string"){
if(data0.length > 256){
const err2 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!pattern0.test(data0)){
const err4 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.password !== undefined){
let data1 = data.password;
if(typeof data1 === "string"){
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(Buffer.byteLength(data1) > 4096){
const err7 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/x-maxBytes",keyword:"x-maxBytes",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate11.errors = vErrors;
return errors === 0;
}

exports.signIn = validate12;
const schema13 = {"type":"object","properties":{"email":{"type":"string","description":"Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.","minLength":1,"maxLength":256,"pattern":"^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$","x-normalise":"email","x-why":{"pattern":"must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs"}},"password":{"type":"string","description":"At most 4096 bytes of UTF-8; neither trimmed nor normalised.","minLength":1,"x-maxBytes":4096,"x-messages":{"minLength":"Password cannot be an empty string"}}},"required":["email","password"]};

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.password === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "password"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.email !== undefined){
let data0 = data.email;
if(typeof data0 === "string"){
if(data0.length > 256){
const err2 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!pattern0.test(data0)){
const err4 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.password !== undefined){
let data1 = data.password;
if(typeof data1 === "string"){
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(Buffer.byteLength(data1) > 4096){
const err7 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/x-maxBytes",keyword:"x-maxBytes",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate12.errors = vErrors;
return errors === 0;
}

exports.signInUp = validate13;
const schema14 = {"type":"object","properties":{"thirdPartyId":{"type":"string","minLength":1,"maxLength":128},"thirdPartyUserId":{"type":"string","minLength":1,"maxLength":256},"email":{"type":"object","properties":{"id":{"type":"string","description":"Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.","minLength":1,"maxLength":256,"pattern":"^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$","x-normalise":"email","x-why":{"pattern":"must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs"}},"isVerified":{"type":"boolean"}},"required":["id"]}},"required":["thirdPartyId","thirdPartyUserId","email"]};

function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.thirdPartyId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "thirdPartyId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.thirdPartyUserId === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "thirdPartyUserId"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.email === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.thirdPartyId !== undefined){
let data0 = data.thirdPartyId;
if(typeof data0 === "string"){
if(data0.length > 128){
const err3 = {instancePath:instancePath+"/thirdPartyId",schemaPath:"#/properties/thirdPartyId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data0.length < 1){
const err4 = {instancePath:instancePath+"/thirdPartyId",schemaPath:"#/properties/thirdPartyId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/thirdPartyId",schemaPath:"#/properties/thirdPartyId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.thirdPartyUserId !== undefined){
let data1 = data.thirdPartyUserId;
if(typeof data1 === "string"){
if(data1.length > 256){
const err6 = {instancePath:instancePath+"/thirdPartyUserId",schemaPath:"#/properties/thirdPartyUserId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data1.length < 1){
const err7 = {instancePath:instancePath+"/thirdPartyUserId",schemaPath:"#/properties/thirdPartyUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/thirdPartyUserId",schemaPath:"#/properties/thirdPartyUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.email !== undefined){
let data2 = data.email;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.id === undefined){
const err9 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/required",keyword:"required",params:{missingProperty: "id"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data2.id !== undefined){
let data3 = data2.id;
if(typeof data3 === "string"){
if(data3.length > 256){
const err10 = {instancePath:instancePath+"/email/id",schemaPath:"#/properties/email/properties/id/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data3.length < 1){
const err11 = {instancePath:instancePath+"/email/id",schemaPath:"#/properties/email/properties/id/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(!pattern0.test(data3)){
const err12 = {instancePath:instancePath+"/email/id",schemaPath:"#/properties/email/properties/id/pattern",keyword:"pattern",params:{pattern: "^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/email/id",schemaPath:"#/properties/email/properties/id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data2.isVerified !== undefined){
if(typeof data2.isVerified !== "boolean"){
const err14 = {instancePath:instancePath+"/email/isVerified",schemaPath:"#/properties/email/properties/isVerified/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
else {
const err16 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
validate13.errors = vErrors;
return errors === 0;
}

exports.createVerificationToken = validate14;
const schema15 = {"type":"object","properties":{"email":{"type":"string","description":"Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.","minLength":1,"maxLength":256,"pattern":"^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$","x-normalise":"email","x-why":{"pattern":"must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs"}},"userId":{"type":"string","minLength":1,"maxLength":256}},"required":["email","userId"]};

function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userId === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.email !== undefined){
let data0 = data.email;
if(typeof data0 === "string"){
if(data0.length > 256){
const err2 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!pattern0.test(data0)){
const err4 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.userId !== undefined){
let data1 = data.userId;
if(typeof data1 === "string"){
if(data1.length > 256){
const err6 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data1.length < 1){
const err7 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate14.errors = vErrors;
return errors === 0;
}

exports.redeemVerificationToken = validate15;
const schema16 = {"type":"object","properties":{"method":{"type":"string","enum":["token"],"x-messages":{"enum":"Unsupported method for email verification"}},"token":{"type":"string"}},"required":["method","token"]};

function validate15(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.method === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "method"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.token === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "token"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.method !== undefined){
let data0 = data.method;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/method",schemaPath:"#/properties/method/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!(data0 === "token")){
const err3 = {instancePath:instancePath+"/method",schemaPath:"#/properties/method/enum",keyword:"enum",params:{allowedValues: schema16.properties.method.enum}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.token !== undefined){
if(typeof data.token !== "string"){
const err4 = {instancePath:instancePath+"/token",schemaPath:"#/properties/token/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate15.errors = vErrors;
return errors === 0;
}

exports.verificationPair = validate16;
const schema17 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":256},"email":{"type":"string","description":"Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.","minLength":1,"maxLength":256,"pattern":"^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$","x-normalise":"email","x-why":{"pattern":"must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs"}}},"required":["userId","email"]};

function validate16(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.email === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.email !== undefined){
let data1 = data.email;
if(typeof data1 === "string"){
if(data1.length > 256){
const err5 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!pattern0.test(data1)){
const err7 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate16.errors = vErrors;
return errors === 0;
}

exports.mapUserId = validate17;
const schema18 = {"type":"object","properties":{"superTokensUserId":{"type":"string","minLength":1,"maxLength":256,"x-normalise":"trim"},"externalUserId":{"type":"string","minLength":1,"maxLength":128,"x-normalise":"trim"},"externalUserIdInfo":{"type":["string","null"]},"force":{"type":"boolean"}},"required":["superTokensUserId","externalUserId"]};

function validate17(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.superTokensUserId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "superTokensUserId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.externalUserId === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "externalUserId"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.superTokensUserId !== undefined){
let data0 = data.superTokensUserId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err2 = {instancePath:instancePath+"/superTokensUserId",schemaPath:"#/properties/superTokensUserId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/superTokensUserId",schemaPath:"#/properties/superTokensUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/superTokensUserId",schemaPath:"#/properties/superTokensUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.externalUserId !== undefined){
let data1 = data.externalUserId;
if(typeof data1 === "string"){
if(data1.length > 128){
const err5 = {instancePath:instancePath+"/externalUserId",schemaPath:"#/properties/externalUserId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/externalUserId",schemaPath:"#/properties/externalUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/externalUserId",schemaPath:"#/properties/externalUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.externalUserIdInfo !== undefined){
let data2 = data.externalUserIdInfo;
if((typeof data2 !== "string") && (data2 !== null)){
const err8 = {instancePath:instancePath+"/externalUserIdInfo",schemaPath:"#/properties/externalUserIdInfo/type",keyword:"type",params:{type: schema18.properties.externalUserIdInfo.type}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.force !== undefined){
if(typeof data.force !== "boolean"){
const err9 = {instancePath:instancePath+"/force",schemaPath:"#/properties/force/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate17.errors = vErrors;
return errors === 0;
}

exports.removeUserIdMap = validate18;
const schema19 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":256,"x-normalise":"trim"},"userIdType":{"type":"string","enum":["ANY","SUPERTOKENS","EXTERNAL"]},"force":{"type":"boolean"}},"required":["userId"]};

function validate18(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err1 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.userIdType !== undefined){
let data1 = data.userIdType;
if(typeof data1 !== "string"){
const err4 = {instancePath:instancePath+"/userIdType",schemaPath:"#/properties/userIdType/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!(((data1 === "ANY") || (data1 === "SUPERTOKENS")) || (data1 === "EXTERNAL"))){
const err5 = {instancePath:instancePath+"/userIdType",schemaPath:"#/properties/userIdType/enum",keyword:"enum",params:{allowedValues: schema19.properties.userIdType.enum}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.force !== undefined){
if(typeof data.force !== "boolean"){
const err6 = {instancePath:instancePath+"/force",schemaPath:"#/properties/force/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate18.errors = vErrors;
return errors === 0;
}

exports.updateExternalUserIdInfo = validate19;
const schema20 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":256,"x-normalise":"trim"},"userIdType":{"type":"string","enum":["ANY","SUPERTOKENS","EXTERNAL"]},"externalUserIdInfo":{"type":["string","null"]}},"required":["userId","externalUserIdInfo"]};

function validate19(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.externalUserIdInfo === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "externalUserIdInfo"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.userIdType !== undefined){
let data1 = data.userIdType;
if(typeof data1 !== "string"){
const err5 = {instancePath:instancePath+"/userIdType",schemaPath:"#/properties/userIdType/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!(((data1 === "ANY") || (data1 === "SUPERTOKENS")) || (data1 === "EXTERNAL"))){
const err6 = {instancePath:instancePath+"/userIdType",schemaPath:"#/properties/userIdType/enum",keyword:"enum",params:{allowedValues: schema20.properties.userIdType.enum}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.externalUserIdInfo !== undefined){
let data2 = data.externalUserIdInfo;
if((typeof data2 !== "string") && (data2 !== null)){
const err7 = {instancePath:instancePath+"/externalUserIdInfo",schemaPath:"#/properties/externalUserIdInfo/type",keyword:"type",params:{type: schema20.properties.externalUserIdInfo.type}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate19.errors = vErrors;
return errors === 0;
}

exports.removeUser = validate20;
const schema21 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":256},"removeAllLinkedAccounts":{"type":"boolean"}},"required":["userId"]};

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err1 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.removeAllLinkedAccounts !== undefined){
if(typeof data.removeAllLinkedAccounts !== "boolean"){
const err4 = {instancePath:instancePath+"/removeAllLinkedAccounts",schemaPath:"#/properties/removeAllLinkedAccounts/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}

exports.updateUser = validate21;
const schema22 = {"type":"object","properties":{"recipeUserId":{"type":"string","minLength":1,"maxLength":256},"email":{"type":"string","description":"Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.","minLength":1,"maxLength":256,"pattern":"^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$","x-normalise":"email","x-why":{"pattern":"must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs"}},"password":{"type":"string","description":"At most 4096 bytes of UTF-8; neither trimmed nor normalised.","minLength":1,"x-maxBytes":4096,"x-messages":{"minLength":"Password cannot be an empty string"}}},"required":["recipeUserId"]};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.recipeUserId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "recipeUserId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.recipeUserId !== undefined){
let data0 = data.recipeUserId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err1 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.email !== undefined){
let data1 = data.email;
if(typeof data1 === "string"){
if(data1.length > 256){
const err4 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data1.length < 1){
const err5 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!pattern0.test(data1)){
const err6 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.password !== undefined){
let data2 = data.password;
if(typeof data2 === "string"){
if(data2.length < 1){
const err8 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(Buffer.byteLength(data2) > 4096){
const err9 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/x-maxBytes",keyword:"x-maxBytes",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}

exports.putRestrictions = validate22;
const schema23 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":256},"isDisabled":{"type":"boolean","description":"Whether the user may not sign in at all."},"disabledUntil":{"type":"integer","minimum":0,"maximum":8640000000000000,"x-why":{"type":"must be a whole number of milliseconds since 1970","minimum":"must be a whole number of milliseconds since 1970","maximum":"must be a whole number of milliseconds since 1970"},"description":"Disables the user until then, in milliseconds since 1970; isDisabled may then be left out."},"isHeld":{"type":"boolean","description":"Whether the sign-in waits for a second factor or an action that cannot be asked for here yet."}},"required":["userId"]};

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err1 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.isDisabled !== undefined){
if(typeof data.isDisabled !== "boolean"){
const err4 = {instancePath:instancePath+"/isDisabled",schemaPath:"#/properties/isDisabled/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.disabledUntil !== undefined){
let data2 = data.disabledUntil;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err5 = {instancePath:instancePath+"/disabledUntil",schemaPath:"#/properties/disabledUntil/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 8640000000000000 || isNaN(data2)){
const err6 = {instancePath:instancePath+"/disabledUntil",schemaPath:"#/properties/disabledUntil/maximum",keyword:"maximum",params:{comparison: "<=", limit: 8640000000000000}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data2 < 0 || isNaN(data2)){
const err7 = {instancePath:instancePath+"/disabledUntil",schemaPath:"#/properties/disabledUntil/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
if(data.isHeld !== undefined){
if(typeof data.isHeld !== "boolean"){
const err8 = {instancePath:instancePath+"/isHeld",schemaPath:"#/properties/isHeld/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}

exports.createResetToken = validate23;
const schema24 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":256},"email":{"type":"string","description":"Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.","minLength":0,"maxLength":256,"pattern":"(^$)|(^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$)","x-normalise":"email","x-why":{"pattern":"must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs"}}},"required":["userId","email"]};
const pattern7 = new RegExp("(^$)|(^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$)", "u");

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.email === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.email !== undefined){
let data1 = data.email;
if(typeof data1 === "string"){
if(data1.length > 256){
const err5 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 0){
const err6 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/minLength",keyword:"minLength",params:{limit: 0}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!pattern7.test(data1)){
const err7 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "(^$)|(^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$)"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate23.errors = vErrors;
return errors === 0;
}

exports.consumeResetToken = validate24;
const schema25 = {"type":"object","properties":{"token":{"type":"string"}},"required":["token"]};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.token === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "token"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.token !== undefined){
if(typeof data.token !== "string"){
const err1 = {instancePath:instancePath+"/token",schemaPath:"#/properties/token/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate24.errors = vErrors;
return errors === 0;
}

exports.addBulkUsers = validate25;
const schema26 = {"type":"object","properties":{"users":{"type":"array","description":"At most 10,000 records, as in a line of a bulk import."},"sameIds":{"type":"boolean","description":"The user with the external id is the one the record means, also with another email, phone number, provider identity and password. Left out, such a record is rejected as DIFFERENT_PERSON."},"restoreRemoved":{"type":"boolean","description":"Users who were imported and then removed here are imported again. Left out, their records are rejected as REMOVED_HERE."}},"required":["users"]};

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.users === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "users"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.users !== undefined){
if(!(Array.isArray(data.users))){
const err1 = {instancePath:instancePath+"/users",schemaPath:"#/properties/users/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.sameIds !== undefined){
if(typeof data.sameIds !== "boolean"){
const err2 = {instancePath:instancePath+"/sameIds",schemaPath:"#/properties/sameIds/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.restoreRemoved !== undefined){
if(typeof data.restoreRemoved !== "boolean"){
const err3 = {instancePath:instancePath+"/restoreRemoved",schemaPath:"#/properties/restoreRemoved/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate25.errors = vErrors;
return errors === 0;
}

exports.importBulkUser = validate26;
const schema27 = {"type":"object","description":"A record, as in a line of a bulk import.","properties":{"externalUserId":{"type":"string"},"loginMethods":{"type":"array"},"userMetadata":{"type":"object"},"userRoles":{"type":"array"},"totpDevices":{"type":"array"},"backupCodes":{"type":"array"},"secondFactors":{"type":"array"},"requiredActions":{"type":"array"},"isDisabled":{"type":"boolean"},"disabledUntil":{"type":"integer"},"sameIds":{"type":"boolean"},"restoreRemoved":{"type":"boolean"}},"required":["loginMethods"]};

function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.loginMethods === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "loginMethods"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.externalUserId !== undefined){
if(typeof data.externalUserId !== "string"){
const err1 = {instancePath:instancePath+"/externalUserId",schemaPath:"#/properties/externalUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.loginMethods !== undefined){
if(!(Array.isArray(data.loginMethods))){
const err2 = {instancePath:instancePath+"/loginMethods",schemaPath:"#/properties/loginMethods/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.userMetadata !== undefined){
let data2 = data.userMetadata;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
const err3 = {instancePath:instancePath+"/userMetadata",schemaPath:"#/properties/userMetadata/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.userRoles !== undefined){
if(!(Array.isArray(data.userRoles))){
const err4 = {instancePath:instancePath+"/userRoles",schemaPath:"#/properties/userRoles/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.totpDevices !== undefined){
if(!(Array.isArray(data.totpDevices))){
const err5 = {instancePath:instancePath+"/totpDevices",schemaPath:"#/properties/totpDevices/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.backupCodes !== undefined){
if(!(Array.isArray(data.backupCodes))){
const err6 = {instancePath:instancePath+"/backupCodes",schemaPath:"#/properties/backupCodes/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.secondFactors !== undefined){
if(!(Array.isArray(data.secondFactors))){
const err7 = {instancePath:instancePath+"/secondFactors",schemaPath:"#/properties/secondFactors/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.requiredActions !== undefined){
if(!(Array.isArray(data.requiredActions))){
const err8 = {instancePath:instancePath+"/requiredActions",schemaPath:"#/properties/requiredActions/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.isDisabled !== undefined){
if(typeof data.isDisabled !== "boolean"){
const err9 = {instancePath:instancePath+"/isDisabled",schemaPath:"#/properties/isDisabled/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.disabledUntil !== undefined){
let data9 = data.disabledUntil;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
const err10 = {instancePath:instancePath+"/disabledUntil",schemaPath:"#/properties/disabledUntil/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.sameIds !== undefined){
if(typeof data.sameIds !== "boolean"){
const err11 = {instancePath:instancePath+"/sameIds",schemaPath:"#/properties/sameIds/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.restoreRemoved !== undefined){
if(typeof data.restoreRemoved !== "boolean"){
const err12 = {instancePath:instancePath+"/restoreRemoved",schemaPath:"#/properties/restoreRemoved/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate26.errors = vErrors;
return errors === 0;
}

exports.removeBulkUsers = validate27;
const schema28 = {"type":"object","properties":{"ids":{"type":"array","description":"At most 500.","items":{"type":"string","minLength":1}}},"required":["ids"]};

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.ids === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "ids"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.ids !== undefined){
let data0 = data.ids;
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(typeof data1 === "string"){
if(data1.length < 1){
const err1 = {instancePath:instancePath+"/ids/" + i0,schemaPath:"#/properties/ids/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath:instancePath+"/ids/" + i0,schemaPath:"#/properties/ids/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath:instancePath+"/ids",schemaPath:"#/properties/ids/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate27.errors = vErrors;
return errors === 0;
}

exports.undoJob = validate28;
const schema29 = {"type":"object","properties":{"force":{"type":"boolean"}},"required":[]};

function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.force !== undefined){
if(typeof data.force !== "boolean"){
const err0 = {instancePath:instancePath+"/force",schemaPath:"#/properties/force/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate28.errors = vErrors;
return errors === 0;
}

exports.createCheckedJob = validate29;
const schema30 = {"type":"object","description":"Known passwords and one-time codes, verified before the job is made; its bytes follow. In a body only: headers, Upload-Metadata among them, get into the logs of proxies.","properties":{"canaries":{"type":"array","minItems":1,"maxItems":100,"items":{"type":"object","properties":{"email":{"type":"string","description":"Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.","minLength":1,"maxLength":256,"pattern":"^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$","x-normalise":"email","x-why":{"pattern":"must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs"}},"password":{"type":"string","description":"At most 4096 bytes of UTF-8; neither trimmed nor normalised.","minLength":1,"x-maxBytes":4096,"x-messages":{"minLength":"Password cannot be an empty string"}},"passwordHash":{"type":"string","description":"As the upload will hold it.","minLength":1,"x-normalise":"trim"},"hashingAlgorithm":{"type":"string"}},"required":["password","passwordHash"]}},"codeCanaries":{"type":"array","minItems":1,"maxItems":100,"items":{"type":"object","properties":{"email":{"type":"string","description":"Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.","minLength":1,"maxLength":256,"pattern":"^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$","x-normalise":"email","x-why":{"pattern":"must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs"}},"code":{"type":"string","minLength":6,"maxLength":8},"at":{"type":"integer","description":"When it was shown, ms since 1970.","minimum":0,"maximum":8640000000000000},"secretKey":{"type":"string","minLength":1,"maxLength":256,"x-normalise":"trim"},"secretEncoding":{"type":"string","enum":["base32","text","hex","base64","latin1"]},"algorithm":{"type":"string","enum":["SHA1","SHA256","SHA512"]},"digits":{"type":"integer","minimum":6,"maximum":8},"period":{"type":"integer","minimum":1,"maximum":86400},"skew":{"type":"integer","minimum":0,"maximum":1000}},"required":["code","at","secretKey"]}},"onConflict":{"type":"string","enum":["update","theirs","ours","reject","skip"]},"dryRun":{"type":"boolean"},"compare":{"type":"boolean","description":"For a whole export only: nothing is imported. The job lists every field in which a record and its user differ, and which side has changed it since the last import (GET …/conflicts), users of either side whom the other lacks, and users who were removed here (GET …/rejects, GET …/absent)."},"secondFactor":{"type":"string","enum":["refuse","flag","drop"],"description":"How users with a second factor or a required action such as UPDATE_PASSWORD, which a sign-in here does not ask for, are treated: refuse (when left out) imports them and refuses their sign-in until it is lifted (PUT /user/restrictions), flag imports them with what the record holds of it, drop without the factor. After flag and drop the right password alone signs in. All are counted."},"sameIds":{"type":"boolean","description":"The user with the external id is the one the record means, also with another email, phone number, provider identity and password. Left out, such a record is rejected as DIFFERENT_PERSON."},"idPrefix":{"type":"string","description":"Put before the external ids of all records: for systems whose ids overlap.","pattern":"^[A-Za-z0-9_.:|@/+~-]{1,64}$","x-why":{"pattern":"must be 1 to 64 letters, digits and any of _ . : | @ / + ~ -"}},"restoreRemoved":{"type":"boolean","description":"Users who were imported and then removed here are imported again. Left out, their records are rejected as REMOVED_HERE."},"source":{"type":"string","description":"Which system the file is of: a label that distinguishes its imports from those of other systems. Default: no label.","maxLength":64},"series":{"type":"string","description":"The series that the import belongs to, as those of a follower: its imports are one entry of the list, with the sums of their counts. Not for a dry run.","pattern":"^[A-Za-z0-9_.-]{1,64}$","x-why":{"pattern":"must be 1 to 64 letters, digits and any of _ . -"}},"whole":{"type":"boolean","description":"Only with series: the file has all users of the source, so that its rejects are those that the series has now."},"absent":{"type":"string","enum":["report","disable","remove"],"description":"For a whole export only: the treatment of users that an import of the same source created, that are in a tenant of the file, and that are not in the file. report lists them. No user is disabled or removed in a dry run, or where the file has half or fewer of those users or invalid records, unless absentYes allows it. Left out: they are not looked for."},"absentYes":{"type":"boolean","description":"Users are disabled or removed (absent) also where the file looks like a part of an export."},"receipt":{"type":"boolean","description":"The outcome of each line is stored, so that the ended job can have a signed receipt (POST /bulk-import/jobs/{id}/receipt)."},"name":{"type":"string","maxLength":256}},"required":[]};
const pattern10 = new RegExp("^[A-Za-z0-9_.:|@/+~-]{1,64}$", "u");
const pattern11 = new RegExp("^[A-Za-z0-9_.-]{1,64}$", "u");

function validate29(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.canaries !== undefined){
let data0 = data.canaries;
if(Array.isArray(data0)){
if(data0.length > 100){
const err0 = {instancePath:instancePath+"/canaries",schemaPath:"#/properties/canaries/maxItems",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data0.length < 1){
const err1 = {instancePath:instancePath+"/canaries",schemaPath:"#/properties/canaries/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.password === undefined){
const err2 = {instancePath:instancePath+"/canaries/" + i0,schemaPath:"#/properties/canaries/items/required",keyword:"required",params:{missingProperty: "password"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data1.passwordHash === undefined){
const err3 = {instancePath:instancePath+"/canaries/" + i0,schemaPath:"#/properties/canaries/items/required",keyword:"required",params:{missingProperty: "passwordHash"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1.email !== undefined){
let data2 = data1.email;
if(typeof data2 === "string"){
if(data2.length > 256){
const err4 = {instancePath:instancePath+"/canaries/" + i0+"/email",schemaPath:"#/properties/canaries/items/properties/email/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data2.length < 1){
const err5 = {instancePath:instancePath+"/canaries/" + i0+"/email",schemaPath:"#/properties/canaries/items/properties/email/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!pattern0.test(data2)){
const err6 = {instancePath:instancePath+"/canaries/" + i0+"/email",schemaPath:"#/properties/canaries/items/properties/email/pattern",keyword:"pattern",params:{pattern: "^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/canaries/" + i0+"/email",schemaPath:"#/properties/canaries/items/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data1.password !== undefined){
let data3 = data1.password;
if(typeof data3 === "string"){
if(data3.length < 1){
const err8 = {instancePath:instancePath+"/canaries/" + i0+"/password",schemaPath:"#/properties/canaries/items/properties/password/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(Buffer.byteLength(data3) > 4096){
const err9 = {instancePath:instancePath+"/canaries/" + i0+"/password",schemaPath:"#/properties/canaries/items/properties/password/x-maxBytes",keyword:"x-maxBytes",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/canaries/" + i0+"/password",schemaPath:"#/properties/canaries/items/properties/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data1.passwordHash !== undefined){
let data4 = data1.passwordHash;
if(typeof data4 === "string"){
if(data4.length < 1){
const err11 = {instancePath:instancePath+"/canaries/" + i0+"/passwordHash",schemaPath:"#/properties/canaries/items/properties/passwordHash/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/canaries/" + i0+"/passwordHash",schemaPath:"#/properties/canaries/items/properties/passwordHash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data1.hashingAlgorithm !== undefined){
if(typeof data1.hashingAlgorithm !== "string"){
const err13 = {instancePath:instancePath+"/canaries/" + i0+"/hashingAlgorithm",schemaPath:"#/properties/canaries/items/properties/hashingAlgorithm/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/canaries/" + i0,schemaPath:"#/properties/canaries/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath:instancePath+"/canaries",schemaPath:"#/properties/canaries/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.codeCanaries !== undefined){
let data6 = data.codeCanaries;
if(Array.isArray(data6)){
if(data6.length > 100){
const err16 = {instancePath:instancePath+"/codeCanaries",schemaPath:"#/properties/codeCanaries/maxItems",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data6.length < 1){
const err17 = {instancePath:instancePath+"/codeCanaries",schemaPath:"#/properties/codeCanaries/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
let data7 = data6[i1];
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.code === undefined){
const err18 = {instancePath:instancePath+"/codeCanaries/" + i1,schemaPath:"#/properties/codeCanaries/items/required",keyword:"required",params:{missingProperty: "code"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(data7.at === undefined){
const err19 = {instancePath:instancePath+"/codeCanaries/" + i1,schemaPath:"#/properties/codeCanaries/items/required",keyword:"required",params:{missingProperty: "at"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data7.secretKey === undefined){
const err20 = {instancePath:instancePath+"/codeCanaries/" + i1,schemaPath:"#/properties/codeCanaries/items/required",keyword:"required",params:{missingProperty: "secretKey"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(data7.email !== undefined){
let data8 = data7.email;
if(typeof data8 === "string"){
if(data8.length > 256){
const err21 = {instancePath:instancePath+"/codeCanaries/" + i1+"/email",schemaPath:"#/properties/codeCanaries/items/properties/email/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(data8.length < 1){
const err22 = {instancePath:instancePath+"/codeCanaries/" + i1+"/email",schemaPath:"#/properties/codeCanaries/items/properties/email/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(!pattern0.test(data8)){
const err23 = {instancePath:instancePath+"/codeCanaries/" + i1+"/email",schemaPath:"#/properties/codeCanaries/items/properties/email/pattern",keyword:"pattern",params:{pattern: "^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/codeCanaries/" + i1+"/email",schemaPath:"#/properties/codeCanaries/items/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data7.code !== undefined){
let data9 = data7.code;
if(typeof data9 === "string"){
if(data9.length > 8){
const err25 = {instancePath:instancePath+"/codeCanaries/" + i1+"/code",schemaPath:"#/properties/codeCanaries/items/properties/code/maxLength",keyword:"maxLength",params:{limit: 8}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(data9.length < 6){
const err26 = {instancePath:instancePath+"/codeCanaries/" + i1+"/code",schemaPath:"#/properties/codeCanaries/items/properties/code/minLength",keyword:"minLength",params:{limit: 6}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/codeCanaries/" + i1+"/code",schemaPath:"#/properties/codeCanaries/items/properties/code/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data7.at !== undefined){
let data10 = data7.at;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
const err28 = {instancePath:instancePath+"/codeCanaries/" + i1+"/at",schemaPath:"#/properties/codeCanaries/items/properties/at/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 8640000000000000 || isNaN(data10)){
const err29 = {instancePath:instancePath+"/codeCanaries/" + i1+"/at",schemaPath:"#/properties/codeCanaries/items/properties/at/maximum",keyword:"maximum",params:{comparison: "<=", limit: 8640000000000000}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(data10 < 0 || isNaN(data10)){
const err30 = {instancePath:instancePath+"/codeCanaries/" + i1+"/at",schemaPath:"#/properties/codeCanaries/items/properties/at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
if(data7.secretKey !== undefined){
let data11 = data7.secretKey;
if(typeof data11 === "string"){
if(data11.length > 256){
const err31 = {instancePath:instancePath+"/codeCanaries/" + i1+"/secretKey",schemaPath:"#/properties/codeCanaries/items/properties/secretKey/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(data11.length < 1){
const err32 = {instancePath:instancePath+"/codeCanaries/" + i1+"/secretKey",schemaPath:"#/properties/codeCanaries/items/properties/secretKey/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/codeCanaries/" + i1+"/secretKey",schemaPath:"#/properties/codeCanaries/items/properties/secretKey/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data7.secretEncoding !== undefined){
let data12 = data7.secretEncoding;
if(typeof data12 !== "string"){
const err34 = {instancePath:instancePath+"/codeCanaries/" + i1+"/secretEncoding",schemaPath:"#/properties/codeCanaries/items/properties/secretEncoding/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if(!(((((data12 === "base32") || (data12 === "text")) || (data12 === "hex")) || (data12 === "base64")) || (data12 === "latin1"))){
const err35 = {instancePath:instancePath+"/codeCanaries/" + i1+"/secretEncoding",schemaPath:"#/properties/codeCanaries/items/properties/secretEncoding/enum",keyword:"enum",params:{allowedValues: schema30.properties.codeCanaries.items.properties.secretEncoding.enum}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data7.algorithm !== undefined){
let data13 = data7.algorithm;
if(typeof data13 !== "string"){
const err36 = {instancePath:instancePath+"/codeCanaries/" + i1+"/algorithm",schemaPath:"#/properties/codeCanaries/items/properties/algorithm/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if(!(((data13 === "SHA1") || (data13 === "SHA256")) || (data13 === "SHA512"))){
const err37 = {instancePath:instancePath+"/codeCanaries/" + i1+"/algorithm",schemaPath:"#/properties/codeCanaries/items/properties/algorithm/enum",keyword:"enum",params:{allowedValues: schema30.properties.codeCanaries.items.properties.algorithm.enum}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data7.digits !== undefined){
let data14 = data7.digits;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
const err38 = {instancePath:instancePath+"/codeCanaries/" + i1+"/digits",schemaPath:"#/properties/codeCanaries/items/properties/digits/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 8 || isNaN(data14)){
const err39 = {instancePath:instancePath+"/codeCanaries/" + i1+"/digits",schemaPath:"#/properties/codeCanaries/items/properties/digits/maximum",keyword:"maximum",params:{comparison: "<=", limit: 8}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if(data14 < 6 || isNaN(data14)){
const err40 = {instancePath:instancePath+"/codeCanaries/" + i1+"/digits",schemaPath:"#/properties/codeCanaries/items/properties/digits/minimum",keyword:"minimum",params:{comparison: ">=", limit: 6}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
if(data7.period !== undefined){
let data15 = data7.period;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
const err41 = {instancePath:instancePath+"/codeCanaries/" + i1+"/period",schemaPath:"#/properties/codeCanaries/items/properties/period/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 86400 || isNaN(data15)){
const err42 = {instancePath:instancePath+"/codeCanaries/" + i1+"/period",schemaPath:"#/properties/codeCanaries/items/properties/period/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if(data15 < 1 || isNaN(data15)){
const err43 = {instancePath:instancePath+"/codeCanaries/" + i1+"/period",schemaPath:"#/properties/codeCanaries/items/properties/period/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
}
if(data7.skew !== undefined){
let data16 = data7.skew;
if(!(((typeof data16 == "number") && (!(data16 % 1) && !isNaN(data16))) && (isFinite(data16)))){
const err44 = {instancePath:instancePath+"/codeCanaries/" + i1+"/skew",schemaPath:"#/properties/codeCanaries/items/properties/skew/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 1000 || isNaN(data16)){
const err45 = {instancePath:instancePath+"/codeCanaries/" + i1+"/skew",schemaPath:"#/properties/codeCanaries/items/properties/skew/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
if(data16 < 0 || isNaN(data16)){
const err46 = {instancePath:instancePath+"/codeCanaries/" + i1+"/skew",schemaPath:"#/properties/codeCanaries/items/properties/skew/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
}
}
else {
const err47 = {instancePath:instancePath+"/codeCanaries/" + i1,schemaPath:"#/properties/codeCanaries/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
}
else {
const err48 = {instancePath:instancePath+"/codeCanaries",schemaPath:"#/properties/codeCanaries/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data.onConflict !== undefined){
let data17 = data.onConflict;
if(typeof data17 !== "string"){
const err49 = {instancePath:instancePath+"/onConflict",schemaPath:"#/properties/onConflict/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
if(!(((((data17 === "update") || (data17 === "theirs")) || (data17 === "ours")) || (data17 === "reject")) || (data17 === "skip"))){
const err50 = {instancePath:instancePath+"/onConflict",schemaPath:"#/properties/onConflict/enum",keyword:"enum",params:{allowedValues: schema30.properties.onConflict.enum}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data.dryRun !== undefined){
if(typeof data.dryRun !== "boolean"){
const err51 = {instancePath:instancePath+"/dryRun",schemaPath:"#/properties/dryRun/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
if(data.compare !== undefined){
if(typeof data.compare !== "boolean"){
const err52 = {instancePath:instancePath+"/compare",schemaPath:"#/properties/compare/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
if(data.secondFactor !== undefined){
let data20 = data.secondFactor;
if(typeof data20 !== "string"){
const err53 = {instancePath:instancePath+"/secondFactor",schemaPath:"#/properties/secondFactor/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
if(!(((data20 === "refuse") || (data20 === "flag")) || (data20 === "drop"))){
const err54 = {instancePath:instancePath+"/secondFactor",schemaPath:"#/properties/secondFactor/enum",keyword:"enum",params:{allowedValues: schema30.properties.secondFactor.enum}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
if(data.sameIds !== undefined){
if(typeof data.sameIds !== "boolean"){
const err55 = {instancePath:instancePath+"/sameIds",schemaPath:"#/properties/sameIds/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data.idPrefix !== undefined){
let data22 = data.idPrefix;
if(typeof data22 === "string"){
if(!pattern10.test(data22)){
const err56 = {instancePath:instancePath+"/idPrefix",schemaPath:"#/properties/idPrefix/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_.:|@/+~-]{1,64}$"}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
else {
const err57 = {instancePath:instancePath+"/idPrefix",schemaPath:"#/properties/idPrefix/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
if(data.restoreRemoved !== undefined){
if(typeof data.restoreRemoved !== "boolean"){
const err58 = {instancePath:instancePath+"/restoreRemoved",schemaPath:"#/properties/restoreRemoved/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
if(data.source !== undefined){
let data24 = data.source;
if(typeof data24 === "string"){
if(data24.length > 64){
const err59 = {instancePath:instancePath+"/source",schemaPath:"#/properties/source/maxLength",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
else {
const err60 = {instancePath:instancePath+"/source",schemaPath:"#/properties/source/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
if(data.series !== undefined){
let data25 = data.series;
if(typeof data25 === "string"){
if(!pattern11.test(data25)){
const err61 = {instancePath:instancePath+"/series",schemaPath:"#/properties/series/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_.-]{1,64}$"}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
else {
const err62 = {instancePath:instancePath+"/series",schemaPath:"#/properties/series/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
if(data.whole !== undefined){
if(typeof data.whole !== "boolean"){
const err63 = {instancePath:instancePath+"/whole",schemaPath:"#/properties/whole/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
if(data.absent !== undefined){
let data27 = data.absent;
if(typeof data27 !== "string"){
const err64 = {instancePath:instancePath+"/absent",schemaPath:"#/properties/absent/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
if(!(((data27 === "report") || (data27 === "disable")) || (data27 === "remove"))){
const err65 = {instancePath:instancePath+"/absent",schemaPath:"#/properties/absent/enum",keyword:"enum",params:{allowedValues: schema30.properties.absent.enum}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
if(data.absentYes !== undefined){
if(typeof data.absentYes !== "boolean"){
const err66 = {instancePath:instancePath+"/absentYes",schemaPath:"#/properties/absentYes/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
if(data.receipt !== undefined){
if(typeof data.receipt !== "boolean"){
const err67 = {instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
if(data.name !== undefined){
let data30 = data.name;
if(typeof data30 === "string"){
if(data30.length > 256){
const err68 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
else {
const err69 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
}
else {
const err70 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
validate29.errors = vErrors;
return errors === 0;
}

exports.recipeUser = validate30;
const schema31 = {"type":"object","properties":{"recipeUserId":{"type":"string","minLength":1,"maxLength":256}},"required":["recipeUserId"]};

function validate30(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.recipeUserId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "recipeUserId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.recipeUserId !== undefined){
let data0 = data.recipeUserId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err1 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate30.errors = vErrors;
return errors === 0;
}

exports.linkUsers = validate31;
const schema32 = {"type":"object","properties":{"recipeUserId":{"type":"string","minLength":1,"maxLength":256},"primaryUserId":{"type":"string","minLength":1,"maxLength":256}},"required":["recipeUserId","primaryUserId"]};

function validate31(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.recipeUserId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "recipeUserId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.primaryUserId === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "primaryUserId"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.recipeUserId !== undefined){
let data0 = data.recipeUserId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err2 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.primaryUserId !== undefined){
let data1 = data.primaryUserId;
if(typeof data1 === "string"){
if(data1.length > 256){
const err5 = {instancePath:instancePath+"/primaryUserId",schemaPath:"#/properties/primaryUserId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/primaryUserId",schemaPath:"#/properties/primaryUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/primaryUserId",schemaPath:"#/properties/primaryUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate31.errors = vErrors;
return errors === 0;
}

exports.tenantUser = validate32;
const schema33 = {"type":"object","properties":{"recipeUserId":{"type":"string","minLength":1,"maxLength":256,"x-messages":{"minLength":"Field name 'userId' cannot be an empty String"}}},"required":["recipeUserId"]};

function validate32(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.recipeUserId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "recipeUserId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.recipeUserId !== undefined){
let data0 = data.recipeUserId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err1 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate32.errors = vErrors;
return errors === 0;
}

exports.putApp = validate33;
const schema34 = {"type":"object","properties":{"appId":{"type":"string","pattern":"^[a-z0-9-]{1,64}$","x-normalise":"lower","x-why":{"pattern":"must be 1 to 64 letters, digits and hyphens"}},"coreConfig":{"type":"object","description":"Merged into what is set already; null removes a key."},"place":{"type":"string"},"firstFactors":{"type":["array","null"],"description":"Left out: as it is; null: no longer set.","items":{"type":"string"},"maxItems":100},"requiredSecondaryFactors":{"type":["array","null"],"description":"Left out: as it is; null: no longer set.","items":{"type":"string"},"maxItems":100},"emailPasswordEnabled":{"type":"null","description":"Set firstFactors instead.","x-messages":{"type":"emailPasswordEnabled is not a valid input for this API"}},"thirdPartyEnabled":{"type":"null","description":"Set firstFactors instead.","x-messages":{"type":"thirdParty is not a valid input for this API"}},"passwordlessEnabled":{"type":"null","description":"Set firstFactors instead.","x-messages":{"type":"passwordless is not a valid input for this API"}}},"required":["appId"]};
const pattern12 = new RegExp("^[a-z0-9-]{1,64}$", "u");

function validate33(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.appId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "appId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.appId !== undefined){
let data0 = data.appId;
if(typeof data0 === "string"){
if(!pattern12.test(data0)){
const err1 = {instancePath:instancePath+"/appId",schemaPath:"#/properties/appId/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9-]{1,64}$"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath:instancePath+"/appId",schemaPath:"#/properties/appId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.coreConfig !== undefined){
let data1 = data.coreConfig;
if(!(data1 && typeof data1 == "object" && !Array.isArray(data1))){
const err3 = {instancePath:instancePath+"/coreConfig",schemaPath:"#/properties/coreConfig/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.place !== undefined){
if(typeof data.place !== "string"){
const err4 = {instancePath:instancePath+"/place",schemaPath:"#/properties/place/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.firstFactors !== undefined){
let data3 = data.firstFactors;
if((!(Array.isArray(data3))) && (data3 !== null)){
const err5 = {instancePath:instancePath+"/firstFactors",schemaPath:"#/properties/firstFactors/type",keyword:"type",params:{type: schema34.properties.firstFactors.type}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(Array.isArray(data3)){
if(data3.length > 100){
const err6 = {instancePath:instancePath+"/firstFactors",schemaPath:"#/properties/firstFactors/maxItems",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
if(typeof data3[i0] !== "string"){
const err7 = {instancePath:instancePath+"/firstFactors/" + i0,schemaPath:"#/properties/firstFactors/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
}
if(data.requiredSecondaryFactors !== undefined){
let data5 = data.requiredSecondaryFactors;
if((!(Array.isArray(data5))) && (data5 !== null)){
const err8 = {instancePath:instancePath+"/requiredSecondaryFactors",schemaPath:"#/properties/requiredSecondaryFactors/type",keyword:"type",params:{type: schema34.properties.requiredSecondaryFactors.type}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(Array.isArray(data5)){
if(data5.length > 100){
const err9 = {instancePath:instancePath+"/requiredSecondaryFactors",schemaPath:"#/properties/requiredSecondaryFactors/maxItems",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
const len1 = data5.length;
for(let i1=0; i1<len1; i1++){
if(typeof data5[i1] !== "string"){
const err10 = {instancePath:instancePath+"/requiredSecondaryFactors/" + i1,schemaPath:"#/properties/requiredSecondaryFactors/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
}
if(data.emailPasswordEnabled !== undefined){
if(data.emailPasswordEnabled !== null){
const err11 = {instancePath:instancePath+"/emailPasswordEnabled",schemaPath:"#/properties/emailPasswordEnabled/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.thirdPartyEnabled !== undefined){
if(data.thirdPartyEnabled !== null){
const err12 = {instancePath:instancePath+"/thirdPartyEnabled",schemaPath:"#/properties/thirdPartyEnabled/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.passwordlessEnabled !== undefined){
if(data.passwordlessEnabled !== null){
const err13 = {instancePath:instancePath+"/passwordlessEnabled",schemaPath:"#/properties/passwordlessEnabled/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
validate33.errors = vErrors;
return errors === 0;
}

exports.putTenant = validate34;
const schema35 = {"type":"object","properties":{"tenantId":{"type":"string","pattern":"^(?!appid-)(?!(?:recipe|config|console|users|user|hello|apiversion|bulk-import|bulk-export|\\.well-known|metrics|health|livez|readyz|docs|hooks|move)$)[a-z0-9-]{1,64}$","x-normalise":"lower","x-why":{"pattern":"must be 1 to 64 letters, digits and hyphens, and no word that begins an endpoint"}},"coreConfig":{"type":"object","description":"Merged into what is set already; null removes a key."},"firstFactors":{"type":["array","null"],"description":"Left out: as it is; null: no longer set.","items":{"type":"string"},"maxItems":100},"requiredSecondaryFactors":{"type":["array","null"],"description":"Left out: as it is; null: no longer set.","items":{"type":"string"},"maxItems":100},"emailPasswordEnabled":{"type":"null","description":"Set firstFactors instead.","x-messages":{"type":"emailPasswordEnabled is not a valid input for this API"}},"thirdPartyEnabled":{"type":"null","description":"Set firstFactors instead.","x-messages":{"type":"thirdParty is not a valid input for this API"}},"passwordlessEnabled":{"type":"null","description":"Set firstFactors instead.","x-messages":{"type":"passwordless is not a valid input for this API"}}},"required":["tenantId"]};
const pattern13 = new RegExp("^(?!appid-)(?!(?:recipe|config|console|users|user|hello|apiversion|bulk-import|bulk-export|\\.well-known|metrics|health|livez|readyz|docs|hooks|move)$)[a-z0-9-]{1,64}$", "u");

function validate34(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.tenantId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "tenantId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.tenantId !== undefined){
let data0 = data.tenantId;
if(typeof data0 === "string"){
if(!pattern13.test(data0)){
const err1 = {instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/pattern",keyword:"pattern",params:{pattern: "^(?!appid-)(?!(?:recipe|config|console|users|user|hello|apiversion|bulk-import|bulk-export|\\.well-known|metrics|health|livez|readyz|docs|hooks|move)$)[a-z0-9-]{1,64}$"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.coreConfig !== undefined){
let data1 = data.coreConfig;
if(!(data1 && typeof data1 == "object" && !Array.isArray(data1))){
const err3 = {instancePath:instancePath+"/coreConfig",schemaPath:"#/properties/coreConfig/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.firstFactors !== undefined){
let data2 = data.firstFactors;
if((!(Array.isArray(data2))) && (data2 !== null)){
const err4 = {instancePath:instancePath+"/firstFactors",schemaPath:"#/properties/firstFactors/type",keyword:"type",params:{type: schema35.properties.firstFactors.type}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(Array.isArray(data2)){
if(data2.length > 100){
const err5 = {instancePath:instancePath+"/firstFactors",schemaPath:"#/properties/firstFactors/maxItems",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
if(typeof data2[i0] !== "string"){
const err6 = {instancePath:instancePath+"/firstFactors/" + i0,schemaPath:"#/properties/firstFactors/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
}
if(data.requiredSecondaryFactors !== undefined){
let data4 = data.requiredSecondaryFactors;
if((!(Array.isArray(data4))) && (data4 !== null)){
const err7 = {instancePath:instancePath+"/requiredSecondaryFactors",schemaPath:"#/properties/requiredSecondaryFactors/type",keyword:"type",params:{type: schema35.properties.requiredSecondaryFactors.type}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(Array.isArray(data4)){
if(data4.length > 100){
const err8 = {instancePath:instancePath+"/requiredSecondaryFactors",schemaPath:"#/properties/requiredSecondaryFactors/maxItems",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
const len1 = data4.length;
for(let i1=0; i1<len1; i1++){
if(typeof data4[i1] !== "string"){
const err9 = {instancePath:instancePath+"/requiredSecondaryFactors/" + i1,schemaPath:"#/properties/requiredSecondaryFactors/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
}
if(data.emailPasswordEnabled !== undefined){
if(data.emailPasswordEnabled !== null){
const err10 = {instancePath:instancePath+"/emailPasswordEnabled",schemaPath:"#/properties/emailPasswordEnabled/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.thirdPartyEnabled !== undefined){
if(data.thirdPartyEnabled !== null){
const err11 = {instancePath:instancePath+"/thirdPartyEnabled",schemaPath:"#/properties/thirdPartyEnabled/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.passwordlessEnabled !== undefined){
if(data.passwordlessEnabled !== null){
const err12 = {instancePath:instancePath+"/passwordlessEnabled",schemaPath:"#/properties/passwordlessEnabled/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate34.errors = vErrors;
return errors === 0;
}

exports.removeApp = validate35;
const schema36 = {"type":"object","properties":{"appId":{"type":"string","pattern":"^[a-z0-9-]{1,64}$","x-normalise":"lower","x-why":{"pattern":"must be 1 to 64 letters, digits and hyphens"}}},"required":["appId"]};

function validate35(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.appId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "appId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.appId !== undefined){
let data0 = data.appId;
if(typeof data0 === "string"){
if(!pattern12.test(data0)){
const err1 = {instancePath:instancePath+"/appId",schemaPath:"#/properties/appId/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9-]{1,64}$"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath:instancePath+"/appId",schemaPath:"#/properties/appId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate35.errors = vErrors;
return errors === 0;
}

exports.removeTenant = validate36;
const schema37 = {"type":"object","properties":{"tenantId":{"type":"string","pattern":"^[a-z0-9-]{1,64}$","x-normalise":"lower","x-why":{"pattern":"must be 1 to 64 letters, digits and hyphens"}}},"required":["tenantId"]};

function validate36(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.tenantId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "tenantId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.tenantId !== undefined){
let data0 = data.tenantId;
if(typeof data0 === "string"){
if(!pattern12.test(data0)){
const err1 = {instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9-]{1,64}$"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate36.errors = vErrors;
return errors === 0;
}

exports.putProvider = validate37;
const schema38 = {"type":"object","properties":{"config":{"type":"object","properties":{"thirdPartyId":{"type":["string","null"]},"name":{"type":["string","null"]},"clients":{"type":"array","items":{"type":"object","properties":{"clientId":{"type":["string","null"]},"clientType":{"type":["string","null"]},"clientSecret":{"type":["string","null"],"description":"Sealed in the database, as all of the configuration."},"scope":{"type":["array","null"],"items":{"type":["string","null"]}},"forcePKCE":{"type":["boolean","null"]},"additionalConfig":{"type":["object","null"]}},"required":[]}},"authorizationEndpoint":{"type":["string","null"]},"authorizationEndpointQueryParams":{"type":["object","null"]},"tokenEndpoint":{"type":["string","null"]},"tokenEndpointBodyParams":{"type":["object","null"]},"userInfoEndpoint":{"type":["string","null"]},"userInfoEndpointQueryParams":{"type":["object","null"]},"userInfoEndpointHeaders":{"type":["object","null"]},"jwksURI":{"type":["string","null"]},"oidcDiscoveryEndpoint":{"type":["string","null"]},"requireEmail":{"type":["boolean","null"]},"userInfoMap":{"type":["object","null"]}},"required":[]},"skipValidation":{"type":"boolean"}},"required":["config"]};

function validate37(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.config === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "config"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.config !== undefined){
let data0 = data.config;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.thirdPartyId !== undefined){
let data1 = data0.thirdPartyId;
if((typeof data1 !== "string") && (data1 !== null)){
const err1 = {instancePath:instancePath+"/config/thirdPartyId",schemaPath:"#/properties/config/properties/thirdPartyId/type",keyword:"type",params:{type: schema38.properties.config.properties.thirdPartyId.type}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data0.name !== undefined){
let data2 = data0.name;
if((typeof data2 !== "string") && (data2 !== null)){
const err2 = {instancePath:instancePath+"/config/name",schemaPath:"#/properties/config/properties/name/type",keyword:"type",params:{type: schema38.properties.config.properties.name.type}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data0.clients !== undefined){
let data3 = data0.clients;
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.clientId !== undefined){
let data5 = data4.clientId;
if((typeof data5 !== "string") && (data5 !== null)){
const err3 = {instancePath:instancePath+"/config/clients/" + i0+"/clientId",schemaPath:"#/properties/config/properties/clients/items/properties/clientId/type",keyword:"type",params:{type: schema38.properties.config.properties.clients.items.properties.clientId.type}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data4.clientType !== undefined){
let data6 = data4.clientType;
if((typeof data6 !== "string") && (data6 !== null)){
const err4 = {instancePath:instancePath+"/config/clients/" + i0+"/clientType",schemaPath:"#/properties/config/properties/clients/items/properties/clientType/type",keyword:"type",params:{type: schema38.properties.config.properties.clients.items.properties.clientType.type}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data4.clientSecret !== undefined){
let data7 = data4.clientSecret;
if((typeof data7 !== "string") && (data7 !== null)){
const err5 = {instancePath:instancePath+"/config/clients/" + i0+"/clientSecret",schemaPath:"#/properties/config/properties/clients/items/properties/clientSecret/type",keyword:"type",params:{type: schema38.properties.config.properties.clients.items.properties.clientSecret.type}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data4.scope !== undefined){
let data8 = data4.scope;
if((!(Array.isArray(data8))) && (data8 !== null)){
const err6 = {instancePath:instancePath+"/config/clients/" + i0+"/scope",schemaPath:"#/properties/config/properties/clients/items/properties/scope/type",keyword:"type",params:{type: schema38.properties.config.properties.clients.items.properties.scope.type}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(Array.isArray(data8)){
const len1 = data8.length;
for(let i1=0; i1<len1; i1++){
let data9 = data8[i1];
if((typeof data9 !== "string") && (data9 !== null)){
const err7 = {instancePath:instancePath+"/config/clients/" + i0+"/scope/" + i1,schemaPath:"#/properties/config/properties/clients/items/properties/scope/items/type",keyword:"type",params:{type: schema38.properties.config.properties.clients.items.properties.scope.items.type}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
}
if(data4.forcePKCE !== undefined){
let data10 = data4.forcePKCE;
if((typeof data10 !== "boolean") && (data10 !== null)){
const err8 = {instancePath:instancePath+"/config/clients/" + i0+"/forcePKCE",schemaPath:"#/properties/config/properties/clients/items/properties/forcePKCE/type",keyword:"type",params:{type: schema38.properties.config.properties.clients.items.properties.forcePKCE.type}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data4.additionalConfig !== undefined){
let data11 = data4.additionalConfig;
if((!(data11 && typeof data11 == "object" && !Array.isArray(data11))) && (data11 !== null)){
const err9 = {instancePath:instancePath+"/config/clients/" + i0+"/additionalConfig",schemaPath:"#/properties/config/properties/clients/items/properties/additionalConfig/type",keyword:"type",params:{type: schema38.properties.config.properties.clients.items.properties.additionalConfig.type}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath:instancePath+"/config/clients/" + i0,schemaPath:"#/properties/config/properties/clients/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath:instancePath+"/config/clients",schemaPath:"#/properties/config/properties/clients/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data0.authorizationEndpoint !== undefined){
let data12 = data0.authorizationEndpoint;
if((typeof data12 !== "string") && (data12 !== null)){
const err12 = {instancePath:instancePath+"/config/authorizationEndpoint",schemaPath:"#/properties/config/properties/authorizationEndpoint/type",keyword:"type",params:{type: schema38.properties.config.properties.authorizationEndpoint.type}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data0.authorizationEndpointQueryParams !== undefined){
let data13 = data0.authorizationEndpointQueryParams;
if((!(data13 && typeof data13 == "object" && !Array.isArray(data13))) && (data13 !== null)){
const err13 = {instancePath:instancePath+"/config/authorizationEndpointQueryParams",schemaPath:"#/properties/config/properties/authorizationEndpointQueryParams/type",keyword:"type",params:{type: schema38.properties.config.properties.authorizationEndpointQueryParams.type}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data0.tokenEndpoint !== undefined){
let data14 = data0.tokenEndpoint;
if((typeof data14 !== "string") && (data14 !== null)){
const err14 = {instancePath:instancePath+"/config/tokenEndpoint",schemaPath:"#/properties/config/properties/tokenEndpoint/type",keyword:"type",params:{type: schema38.properties.config.properties.tokenEndpoint.type}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data0.tokenEndpointBodyParams !== undefined){
let data15 = data0.tokenEndpointBodyParams;
if((!(data15 && typeof data15 == "object" && !Array.isArray(data15))) && (data15 !== null)){
const err15 = {instancePath:instancePath+"/config/tokenEndpointBodyParams",schemaPath:"#/properties/config/properties/tokenEndpointBodyParams/type",keyword:"type",params:{type: schema38.properties.config.properties.tokenEndpointBodyParams.type}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data0.userInfoEndpoint !== undefined){
let data16 = data0.userInfoEndpoint;
if((typeof data16 !== "string") && (data16 !== null)){
const err16 = {instancePath:instancePath+"/config/userInfoEndpoint",schemaPath:"#/properties/config/properties/userInfoEndpoint/type",keyword:"type",params:{type: schema38.properties.config.properties.userInfoEndpoint.type}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data0.userInfoEndpointQueryParams !== undefined){
let data17 = data0.userInfoEndpointQueryParams;
if((!(data17 && typeof data17 == "object" && !Array.isArray(data17))) && (data17 !== null)){
const err17 = {instancePath:instancePath+"/config/userInfoEndpointQueryParams",schemaPath:"#/properties/config/properties/userInfoEndpointQueryParams/type",keyword:"type",params:{type: schema38.properties.config.properties.userInfoEndpointQueryParams.type}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data0.userInfoEndpointHeaders !== undefined){
let data18 = data0.userInfoEndpointHeaders;
if((!(data18 && typeof data18 == "object" && !Array.isArray(data18))) && (data18 !== null)){
const err18 = {instancePath:instancePath+"/config/userInfoEndpointHeaders",schemaPath:"#/properties/config/properties/userInfoEndpointHeaders/type",keyword:"type",params:{type: schema38.properties.config.properties.userInfoEndpointHeaders.type}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data0.jwksURI !== undefined){
let data19 = data0.jwksURI;
if((typeof data19 !== "string") && (data19 !== null)){
const err19 = {instancePath:instancePath+"/config/jwksURI",schemaPath:"#/properties/config/properties/jwksURI/type",keyword:"type",params:{type: schema38.properties.config.properties.jwksURI.type}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data0.oidcDiscoveryEndpoint !== undefined){
let data20 = data0.oidcDiscoveryEndpoint;
if((typeof data20 !== "string") && (data20 !== null)){
const err20 = {instancePath:instancePath+"/config/oidcDiscoveryEndpoint",schemaPath:"#/properties/config/properties/oidcDiscoveryEndpoint/type",keyword:"type",params:{type: schema38.properties.config.properties.oidcDiscoveryEndpoint.type}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data0.requireEmail !== undefined){
let data21 = data0.requireEmail;
if((typeof data21 !== "boolean") && (data21 !== null)){
const err21 = {instancePath:instancePath+"/config/requireEmail",schemaPath:"#/properties/config/properties/requireEmail/type",keyword:"type",params:{type: schema38.properties.config.properties.requireEmail.type}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data0.userInfoMap !== undefined){
let data22 = data0.userInfoMap;
if((!(data22 && typeof data22 == "object" && !Array.isArray(data22))) && (data22 !== null)){
const err22 = {instancePath:instancePath+"/config/userInfoMap",schemaPath:"#/properties/config/properties/userInfoMap/type",keyword:"type",params:{type: schema38.properties.config.properties.userInfoMap.type}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
else {
const err23 = {instancePath:instancePath+"/config",schemaPath:"#/properties/config/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.skipValidation !== undefined){
if(typeof data.skipValidation !== "boolean"){
const err24 = {instancePath:instancePath+"/skipValidation",schemaPath:"#/properties/skipValidation/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
}
else {
const err25 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
validate37.errors = vErrors;
return errors === 0;
}

exports.removeProvider = validate38;
const schema39 = {"type":"object","properties":{"thirdPartyId":{"type":"string"}},"required":["thirdPartyId"]};

function validate38(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.thirdPartyId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "thirdPartyId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.thirdPartyId !== undefined){
if(typeof data.thirdPartyId !== "string"){
const err1 = {instancePath:instancePath+"/thirdPartyId",schemaPath:"#/properties/thirdPartyId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate38.errors = vErrors;
return errors === 0;
}

exports.refreshSessionByKeptKey = validate39;
const schema40 = {"type":"object","properties":{"refreshToken":{"type":"string"},"antiCsrfToken":{"type":["string","null"]},"enableAntiCsrf":{"type":"boolean"},"useDynamicSigningKey":{"type":"boolean","description":"Left out: as the session has it."}},"required":["refreshToken","enableAntiCsrf"]};

function validate39(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.refreshToken === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "refreshToken"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.enableAntiCsrf === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "enableAntiCsrf"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.refreshToken !== undefined){
if(typeof data.refreshToken !== "string"){
const err2 = {instancePath:instancePath+"/refreshToken",schemaPath:"#/properties/refreshToken/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.antiCsrfToken !== undefined){
let data1 = data.antiCsrfToken;
if((typeof data1 !== "string") && (data1 !== null)){
const err3 = {instancePath:instancePath+"/antiCsrfToken",schemaPath:"#/properties/antiCsrfToken/type",keyword:"type",params:{type: schema40.properties.antiCsrfToken.type}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.enableAntiCsrf !== undefined){
if(typeof data.enableAntiCsrf !== "boolean"){
const err4 = {instancePath:instancePath+"/enableAntiCsrf",schemaPath:"#/properties/enableAntiCsrf/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.useDynamicSigningKey !== undefined){
if(typeof data.useDynamicSigningKey !== "boolean"){
const err5 = {instancePath:instancePath+"/useDynamicSigningKey",schemaPath:"#/properties/useDynamicSigningKey/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate39.errors = vErrors;
return errors === 0;
}

exports.putFormerTenant = validate40;
const schema41 = {"type":"object","properties":{"tenantId":{"type":"string","pattern":"^(?!appid-)(?!(?:recipe|config|console|users|user|hello|apiversion|bulk-import|bulk-export|\\.well-known|metrics|health|livez|readyz|docs|hooks|move)$)[a-z0-9-]{1,64}$","x-normalise":"lower","x-why":{"pattern":"must be 1 to 64 letters, digits and hyphens, and no word that begins an endpoint"}},"emailPasswordEnabled":{"type":"boolean"},"thirdPartyEnabled":{"type":"boolean"},"passwordlessEnabled":{"type":"boolean"},"coreConfig":{"type":"object","description":"Merged into what is set already; null removes a key."},"firstFactors":{"type":["array","null"],"description":"Left out: as it is; null: no longer set.","items":{"type":"string"},"maxItems":100},"requiredSecondaryFactors":{"type":["array","null"],"description":"Left out: as it is; null: no longer set.","items":{"type":"string"},"maxItems":100}},"required":[]};

function validate40(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.tenantId !== undefined){
let data0 = data.tenantId;
if(typeof data0 === "string"){
if(!pattern13.test(data0)){
const err0 = {instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/pattern",keyword:"pattern",params:{pattern: "^(?!appid-)(?!(?:recipe|config|console|users|user|hello|apiversion|bulk-import|bulk-export|\\.well-known|metrics|health|livez|readyz|docs|hooks|move)$)[a-z0-9-]{1,64}$"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.emailPasswordEnabled !== undefined){
if(typeof data.emailPasswordEnabled !== "boolean"){
const err2 = {instancePath:instancePath+"/emailPasswordEnabled",schemaPath:"#/properties/emailPasswordEnabled/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.thirdPartyEnabled !== undefined){
if(typeof data.thirdPartyEnabled !== "boolean"){
const err3 = {instancePath:instancePath+"/thirdPartyEnabled",schemaPath:"#/properties/thirdPartyEnabled/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.passwordlessEnabled !== undefined){
if(typeof data.passwordlessEnabled !== "boolean"){
const err4 = {instancePath:instancePath+"/passwordlessEnabled",schemaPath:"#/properties/passwordlessEnabled/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.coreConfig !== undefined){
let data4 = data.coreConfig;
if(!(data4 && typeof data4 == "object" && !Array.isArray(data4))){
const err5 = {instancePath:instancePath+"/coreConfig",schemaPath:"#/properties/coreConfig/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.firstFactors !== undefined){
let data5 = data.firstFactors;
if((!(Array.isArray(data5))) && (data5 !== null)){
const err6 = {instancePath:instancePath+"/firstFactors",schemaPath:"#/properties/firstFactors/type",keyword:"type",params:{type: schema41.properties.firstFactors.type}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(Array.isArray(data5)){
if(data5.length > 100){
const err7 = {instancePath:instancePath+"/firstFactors",schemaPath:"#/properties/firstFactors/maxItems",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
if(typeof data5[i0] !== "string"){
const err8 = {instancePath:instancePath+"/firstFactors/" + i0,schemaPath:"#/properties/firstFactors/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
}
if(data.requiredSecondaryFactors !== undefined){
let data7 = data.requiredSecondaryFactors;
if((!(Array.isArray(data7))) && (data7 !== null)){
const err9 = {instancePath:instancePath+"/requiredSecondaryFactors",schemaPath:"#/properties/requiredSecondaryFactors/type",keyword:"type",params:{type: schema41.properties.requiredSecondaryFactors.type}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(Array.isArray(data7)){
if(data7.length > 100){
const err10 = {instancePath:instancePath+"/requiredSecondaryFactors",schemaPath:"#/properties/requiredSecondaryFactors/maxItems",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
const len1 = data7.length;
for(let i1=0; i1<len1; i1++){
if(typeof data7[i1] !== "string"){
const err11 = {instancePath:instancePath+"/requiredSecondaryFactors/" + i1,schemaPath:"#/properties/requiredSecondaryFactors/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate40.errors = vErrors;
return errors === 0;
}

exports.createFormerResetToken = validate41;
const schema42 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":256}},"required":["userId"]};

function validate41(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err1 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate41.errors = vErrors;
return errors === 0;
}

exports.resetPassword = validate42;
const schema43 = {"type":"object","properties":{"method":{"type":"string","enum":["token"],"x-messages":{"enum":"Unsupported method for password reset"}},"token":{"type":"string"},"newPassword":{"type":"string","description":"At most 4096 bytes of UTF-8; neither trimmed nor normalised.","minLength":1,"x-maxBytes":4096,"x-messages":{"minLength":"Password cannot be an empty string"}}},"required":["method","token","newPassword"]};

function validate42(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.method === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "method"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.token === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "token"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.newPassword === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "newPassword"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.method !== undefined){
let data0 = data.method;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/method",schemaPath:"#/properties/method/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!(data0 === "token")){
const err4 = {instancePath:instancePath+"/method",schemaPath:"#/properties/method/enum",keyword:"enum",params:{allowedValues: schema43.properties.method.enum}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.token !== undefined){
if(typeof data.token !== "string"){
const err5 = {instancePath:instancePath+"/token",schemaPath:"#/properties/token/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.newPassword !== undefined){
let data2 = data.newPassword;
if(typeof data2 === "string"){
if(data2.length < 1){
const err6 = {instancePath:instancePath+"/newPassword",schemaPath:"#/properties/newPassword/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(Buffer.byteLength(data2) > 4096){
const err7 = {instancePath:instancePath+"/newPassword",schemaPath:"#/properties/newPassword/x-maxBytes",keyword:"x-maxBytes",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/newPassword",schemaPath:"#/properties/newPassword/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate42.errors = vErrors;
return errors === 0;
}

exports.verification = validate43;
const schema44 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":256},"email":{"type":"string","x-normalise":"email"}},"required":["userId","email"]};

function validate43(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.email === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.email !== undefined){
if(typeof data.email !== "string"){
const err5 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate43.errors = vErrors;
return errors === 0;
}

exports.userIdMap = validate44;
const schema45 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":256,"x-normalise":"trim"},"userIdType":{"type":"string","enum":["ANY","SUPERTOKENS","EXTERNAL"]}},"required":["userId"]};

function validate44(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err1 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.userIdType !== undefined){
let data1 = data.userIdType;
if(typeof data1 !== "string"){
const err4 = {instancePath:instancePath+"/userIdType",schemaPath:"#/properties/userIdType/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!(((data1 === "ANY") || (data1 === "SUPERTOKENS")) || (data1 === "EXTERNAL"))){
const err5 = {instancePath:instancePath+"/userIdType",schemaPath:"#/properties/userIdType/enum",keyword:"enum",params:{allowedValues: schema45.properties.userIdType.enum}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate44.errors = vErrors;
return errors === 0;
}

exports.userId = validate45;
const schema46 = {"type":"object","properties":{"userId":{"type":"string"}},"required":["userId"]};

function validate45(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userId !== undefined){
if(typeof data.userId !== "string"){
const err1 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate45.errors = vErrors;
return errors === 0;
}

exports.restrictions = validate46;
const schema47 = {"type":"object","properties":{"userId":{"type":"string","description":"Left out: all users who may not sign in, page by page."},"requiredAction":{"type":"string","description":"Without userId: only users whose record states this action, and that nothing else restricts that can be read: CHECK_AT_SOURCE, UPDATE_PASSWORD."},"job":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","description":"Without userId: only users that this import created or changed.","x-why":{"pattern":"must be the id of an import, as carryover jobs lists it"}},"limit":{"type":"integer","minimum":1,"maximum":500},"paginationToken":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be a token that an earlier page gave"}}},"required":[]};
const pattern17 = new RegExp("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "u");

function validate46(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId !== undefined){
if(typeof data.userId !== "string"){
const err0 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.requiredAction !== undefined){
if(typeof data.requiredAction !== "string"){
const err1 = {instancePath:instancePath+"/requiredAction",schemaPath:"#/properties/requiredAction/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.job !== undefined){
let data2 = data.job;
if(typeof data2 === "string"){
if(!pattern17.test(data2)){
const err2 = {instancePath:instancePath+"/job",schemaPath:"#/properties/job/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/job",schemaPath:"#/properties/job/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.limit !== undefined){
let data3 = data.limit;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err4 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 500 || isNaN(data3)){
const err5 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 500}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data3 < 1 || isNaN(data3)){
const err6 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
if(data.paginationToken !== undefined){
let data4 = data.paginationToken;
if(typeof data4 === "string"){
if(!pattern17.test(data4)){
const err7 = {instancePath:instancePath+"/paginationToken",schemaPath:"#/properties/paginationToken/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/paginationToken",schemaPath:"#/properties/paginationToken/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate46.errors = vErrors;
return errors === 0;
}

exports.accountInfo = validate47;
const schema48 = {"type":"object","properties":{"email":{"type":"string","x-normalise":"email"},"phoneNumber":{"type":"string","description":"In any spelling: it is converted to E.164."},"thirdPartyId":{"type":"string","minLength":1,"maxLength":128},"thirdPartyUserId":{"type":"string","minLength":1,"maxLength":256},"doUnionOfAccountInfo":{"type":"boolean"}},"required":[]};

function validate47(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email !== undefined){
if(typeof data.email !== "string"){
const err0 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.phoneNumber !== undefined){
if(typeof data.phoneNumber !== "string"){
const err1 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.thirdPartyId !== undefined){
let data2 = data.thirdPartyId;
if(typeof data2 === "string"){
if(data2.length > 128){
const err2 = {instancePath:instancePath+"/thirdPartyId",schemaPath:"#/properties/thirdPartyId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data2.length < 1){
const err3 = {instancePath:instancePath+"/thirdPartyId",schemaPath:"#/properties/thirdPartyId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/thirdPartyId",schemaPath:"#/properties/thirdPartyId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.thirdPartyUserId !== undefined){
let data3 = data.thirdPartyUserId;
if(typeof data3 === "string"){
if(data3.length > 256){
const err5 = {instancePath:instancePath+"/thirdPartyUserId",schemaPath:"#/properties/thirdPartyUserId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data3.length < 1){
const err6 = {instancePath:instancePath+"/thirdPartyUserId",schemaPath:"#/properties/thirdPartyUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/thirdPartyUserId",schemaPath:"#/properties/thirdPartyUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.doUnionOfAccountInfo !== undefined){
if(typeof data.doUnionOfAccountInfo !== "boolean"){
const err8 = {instancePath:instancePath+"/doUnionOfAccountInfo",schemaPath:"#/properties/doUnionOfAccountInfo/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate47.errors = vErrors;
return errors === 0;
}

exports.listUsers = validate48;
const schema49 = {"type":"object","description":"With email, phone or provider a search: up to 1000 users with a login method that fits each of them, without limit and paginationToken.","properties":{"limit":{"type":"integer","description":"At most 500, where nothing is searched for.","minimum":1,"x-why":{"type":"limit must a positive integer with min value 1","minimum":"limit must a positive integer with min value 1"}},"timeJoinedOrder":{"type":"string","enum":["ASC","DESC"]},"paginationToken":{"type":"string"},"includeRecipeIds":{"type":"array","description":"Separated by commas. No user has a login method of webauthn.","items":{"type":"string","enum":["emailpassword","thirdparty","passwordless","webauthn"]},"x-commaList":true},"email":{"type":"string","description":"The beginning of an email or of its domain, or several between semicolons."},"phone":{"type":"string","description":"The beginning of a phone number, or several between semicolons."},"provider":{"type":"string","description":"The beginning of a provider's id, or several between semicolons."}},"required":[]};

function validate48(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.limit !== undefined){
let data0 = data.limit;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err0 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 1 || isNaN(data0)){
const err1 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
if(data.timeJoinedOrder !== undefined){
let data1 = data.timeJoinedOrder;
if(typeof data1 !== "string"){
const err2 = {instancePath:instancePath+"/timeJoinedOrder",schemaPath:"#/properties/timeJoinedOrder/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!((data1 === "ASC") || (data1 === "DESC"))){
const err3 = {instancePath:instancePath+"/timeJoinedOrder",schemaPath:"#/properties/timeJoinedOrder/enum",keyword:"enum",params:{allowedValues: schema49.properties.timeJoinedOrder.enum}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.paginationToken !== undefined){
if(typeof data.paginationToken !== "string"){
const err4 = {instancePath:instancePath+"/paginationToken",schemaPath:"#/properties/paginationToken/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.includeRecipeIds !== undefined){
let data3 = data.includeRecipeIds;
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
if(typeof data4 !== "string"){
const err5 = {instancePath:instancePath+"/includeRecipeIds/" + i0,schemaPath:"#/properties/includeRecipeIds/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!((((data4 === "emailpassword") || (data4 === "thirdparty")) || (data4 === "passwordless")) || (data4 === "webauthn"))){
const err6 = {instancePath:instancePath+"/includeRecipeIds/" + i0,schemaPath:"#/properties/includeRecipeIds/items/enum",keyword:"enum",params:{allowedValues: schema49.properties.includeRecipeIds.items.enum}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath:instancePath+"/includeRecipeIds",schemaPath:"#/properties/includeRecipeIds/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.email !== undefined){
if(typeof data.email !== "string"){
const err8 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.phone !== undefined){
if(typeof data.phone !== "string"){
const err9 = {instancePath:instancePath+"/phone",schemaPath:"#/properties/phone/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.provider !== undefined){
if(typeof data.provider !== "string"){
const err10 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate48.errors = vErrors;
return errors === 0;
}

exports.countUsers = validate49;
const schema50 = {"type":"object","properties":{"includeRecipeIds":{"type":"array","description":"Separated by commas. No user has a login method of webauthn.","items":{"type":"string","enum":["emailpassword","thirdparty","passwordless","webauthn"]},"x-commaList":true},"includeAllTenants":{"type":"boolean"},"allowApproximate":{"type":"boolean","description":"Answers approximate and asOf as well; the count is exact."}},"required":[]};

function validate49(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.includeRecipeIds !== undefined){
let data0 = data.includeRecipeIds;
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(typeof data1 !== "string"){
const err0 = {instancePath:instancePath+"/includeRecipeIds/" + i0,schemaPath:"#/properties/includeRecipeIds/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(!((((data1 === "emailpassword") || (data1 === "thirdparty")) || (data1 === "passwordless")) || (data1 === "webauthn"))){
const err1 = {instancePath:instancePath+"/includeRecipeIds/" + i0,schemaPath:"#/properties/includeRecipeIds/items/enum",keyword:"enum",params:{allowedValues: schema50.properties.includeRecipeIds.items.enum}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath:instancePath+"/includeRecipeIds",schemaPath:"#/properties/includeRecipeIds/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.includeAllTenants !== undefined){
if(typeof data.includeAllTenants !== "boolean"){
const err3 = {instancePath:instancePath+"/includeAllTenants",schemaPath:"#/properties/includeAllTenants/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.allowApproximate !== undefined){
if(typeof data.allowApproximate !== "boolean"){
const err4 = {instancePath:instancePath+"/allowApproximate",schemaPath:"#/properties/allowApproximate/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate49.errors = vErrors;
return errors === 0;
}

exports.countActive = validate50;
const schema51 = {"type":"object","properties":{"since":{"type":"integer","description":"ms since the epoch. Activity is noted to the nearest five minutes.","minimum":0,"x-messages":{"type":"'since' query parameter must be >= 0"}}},"required":["since"]};

function validate50(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.since === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "since"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.since !== undefined){
let data0 = data.since;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err1 = {instancePath:instancePath+"/since",schemaPath:"#/properties/since/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
const err2 = {instancePath:instancePath+"/since",schemaPath:"#/properties/since/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate50.errors = vErrors;
return errors === 0;
}

exports.listBulkUsers = validate51;
const schema52 = {"type":"object","properties":{"status":{"type":"string","enum":["NEW","PROCESSING","FAILED"]},"limit":{"type":"integer","minimum":1,"maximum":500},"paginationToken":{"type":"string"}},"required":[]};

function validate51(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.status !== undefined){
let data0 = data.status;
if(typeof data0 !== "string"){
const err0 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(!(((data0 === "NEW") || (data0 === "PROCESSING")) || (data0 === "FAILED"))){
const err1 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema52.properties.status.enum}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.limit !== undefined){
let data1 = data.limit;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err2 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 500 || isNaN(data1)){
const err3 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 500}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1 < 1 || isNaN(data1)){
const err4 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
if(data.paginationToken !== undefined){
if(typeof data.paginationToken !== "string"){
const err5 = {instancePath:instancePath+"/paginationToken",schemaPath:"#/properties/paginationToken/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate51.errors = vErrors;
return errors === 0;
}

exports.countBulkUsers = validate52;
const schema53 = {"type":"object","properties":{"status":{"type":"string","enum":["NEW","PROCESSING","FAILED"]}},"required":[]};

function validate52(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.status !== undefined){
let data0 = data.status;
if(typeof data0 !== "string"){
const err0 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(!(((data0 === "NEW") || (data0 === "PROCESSING")) || (data0 === "FAILED"))){
const err1 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema53.properties.status.enum}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate52.errors = vErrors;
return errors === 0;
}

exports.exportUsers = validate53;
const schema54 = {"type":"object","properties":{"changedSince":{"type":"string","description":"The id of a job, whose beginning counts, or a time (ISO 8601, or ms since 1970): only users who were made or changed here since then. Left out: all."}},"required":[]};

function validate53(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.changedSince !== undefined){
if(typeof data.changedSince !== "string"){
const err0 = {instancePath:instancePath+"/changedSince",schemaPath:"#/properties/changedSince/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate53.errors = vErrors;
return errors === 0;
}

exports.hashReport = validate54;
const schema55 = {"type":"object","properties":{"days":{"type":"integer","description":"How far back activity is looked at. 30 when left out.","minimum":1,"maximum":3650},"limit":{"type":"integer","description":"The most mismatches to list. Default: 100.","minimum":1,"maximum":500}},"required":[]};

function validate54(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.days !== undefined){
let data0 = data.days;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err0 = {instancePath:instancePath+"/days",schemaPath:"#/properties/days/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 3650 || isNaN(data0)){
const err1 = {instancePath:instancePath+"/days",schemaPath:"#/properties/days/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3650}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0 < 1 || isNaN(data0)){
const err2 = {instancePath:instancePath+"/days",schemaPath:"#/properties/days/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
if(data.limit !== undefined){
let data1 = data.limit;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err3 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 500 || isNaN(data1)){
const err4 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 500}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data1 < 1 || isNaN(data1)){
const err5 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate54.errors = vErrors;
return errors === 0;
}

exports.createJob = validate55;
const schema56 = {"type":"object","properties":{"onConflict":{"type":"string","enum":["update","theirs","ours","reject","skip"]},"dryRun":{"type":"boolean"},"compare":{"type":"boolean","description":"For a whole export only: nothing is imported. The job lists every field in which a record and its user differ, and which side has changed it since the last import (GET …/conflicts), users of either side whom the other lacks, and users who were removed here (GET …/rejects, GET …/absent)."},"secondFactor":{"type":"string","enum":["refuse","flag","drop"],"description":"How users with a second factor or a required action such as UPDATE_PASSWORD, which a sign-in here does not ask for, are treated: refuse (when left out) imports them and refuses their sign-in until it is lifted (PUT /user/restrictions), flag imports them with what the record holds of it, drop without the factor. After flag and drop the right password alone signs in. All are counted."},"sameIds":{"type":"boolean","description":"The user with the external id is the one the record means, also with another email, phone number, provider identity and password. Left out, such a record is rejected as DIFFERENT_PERSON."},"idPrefix":{"type":"string","description":"Put before the external ids of all records: for systems whose ids overlap.","pattern":"^[A-Za-z0-9_.:|@/+~-]{1,64}$","x-why":{"pattern":"must be 1 to 64 letters, digits and any of _ . : | @ / + ~ -"}},"restoreRemoved":{"type":"boolean","description":"Users who were imported and then removed here are imported again. Left out, their records are rejected as REMOVED_HERE."},"source":{"type":"string","description":"Which system the file is of: a label that distinguishes its imports from those of other systems. Default: no label.","maxLength":64},"series":{"type":"string","description":"The series that the import belongs to, as those of a follower: its imports are one entry of the list, with the sums of their counts. Not for a dry run.","pattern":"^[A-Za-z0-9_.-]{1,64}$","x-why":{"pattern":"must be 1 to 64 letters, digits and any of _ . -"}},"whole":{"type":"boolean","description":"Only with series: the file has all users of the source, so that its rejects are those that the series has now."},"absent":{"type":"string","enum":["report","disable","remove"],"description":"For a whole export only: the treatment of users that an import of the same source created, that are in a tenant of the file, and that are not in the file. report lists them. No user is disabled or removed in a dry run, or where the file has half or fewer of those users or invalid records, unless absentYes allows it. Left out: they are not looked for."},"absentYes":{"type":"boolean","description":"Users are disabled or removed (absent) also where the file looks like a part of an export."},"receipt":{"type":"boolean","description":"The outcome of each line is stored, so that the ended job can have a signed receipt (POST /bulk-import/jobs/{id}/receipt)."},"name":{"type":"string","maxLength":256}},"required":[]};

function validate55(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.onConflict !== undefined){
let data0 = data.onConflict;
if(typeof data0 !== "string"){
const err0 = {instancePath:instancePath+"/onConflict",schemaPath:"#/properties/onConflict/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(!(((((data0 === "update") || (data0 === "theirs")) || (data0 === "ours")) || (data0 === "reject")) || (data0 === "skip"))){
const err1 = {instancePath:instancePath+"/onConflict",schemaPath:"#/properties/onConflict/enum",keyword:"enum",params:{allowedValues: schema56.properties.onConflict.enum}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.dryRun !== undefined){
if(typeof data.dryRun !== "boolean"){
const err2 = {instancePath:instancePath+"/dryRun",schemaPath:"#/properties/dryRun/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.compare !== undefined){
if(typeof data.compare !== "boolean"){
const err3 = {instancePath:instancePath+"/compare",schemaPath:"#/properties/compare/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.secondFactor !== undefined){
let data3 = data.secondFactor;
if(typeof data3 !== "string"){
const err4 = {instancePath:instancePath+"/secondFactor",schemaPath:"#/properties/secondFactor/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!(((data3 === "refuse") || (data3 === "flag")) || (data3 === "drop"))){
const err5 = {instancePath:instancePath+"/secondFactor",schemaPath:"#/properties/secondFactor/enum",keyword:"enum",params:{allowedValues: schema56.properties.secondFactor.enum}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.sameIds !== undefined){
if(typeof data.sameIds !== "boolean"){
const err6 = {instancePath:instancePath+"/sameIds",schemaPath:"#/properties/sameIds/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.idPrefix !== undefined){
let data5 = data.idPrefix;
if(typeof data5 === "string"){
if(!pattern10.test(data5)){
const err7 = {instancePath:instancePath+"/idPrefix",schemaPath:"#/properties/idPrefix/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_.:|@/+~-]{1,64}$"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/idPrefix",schemaPath:"#/properties/idPrefix/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.restoreRemoved !== undefined){
if(typeof data.restoreRemoved !== "boolean"){
const err9 = {instancePath:instancePath+"/restoreRemoved",schemaPath:"#/properties/restoreRemoved/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.source !== undefined){
let data7 = data.source;
if(typeof data7 === "string"){
if(data7.length > 64){
const err10 = {instancePath:instancePath+"/source",schemaPath:"#/properties/source/maxLength",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/source",schemaPath:"#/properties/source/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.series !== undefined){
let data8 = data.series;
if(typeof data8 === "string"){
if(!pattern11.test(data8)){
const err12 = {instancePath:instancePath+"/series",schemaPath:"#/properties/series/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_.-]{1,64}$"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/series",schemaPath:"#/properties/series/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.whole !== undefined){
if(typeof data.whole !== "boolean"){
const err14 = {instancePath:instancePath+"/whole",schemaPath:"#/properties/whole/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.absent !== undefined){
let data10 = data.absent;
if(typeof data10 !== "string"){
const err15 = {instancePath:instancePath+"/absent",schemaPath:"#/properties/absent/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(!(((data10 === "report") || (data10 === "disable")) || (data10 === "remove"))){
const err16 = {instancePath:instancePath+"/absent",schemaPath:"#/properties/absent/enum",keyword:"enum",params:{allowedValues: schema56.properties.absent.enum}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.absentYes !== undefined){
if(typeof data.absentYes !== "boolean"){
const err17 = {instancePath:instancePath+"/absentYes",schemaPath:"#/properties/absentYes/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.receipt !== undefined){
if(typeof data.receipt !== "boolean"){
const err18 = {instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.name !== undefined){
let data13 = data.name;
if(typeof data13 === "string"){
if(data13.length > 256){
const err19 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
else {
const err21 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
validate55.errors = vErrors;
return errors === 0;
}

exports.cancelJob = validate56;
const schema57 = {"type":"object","properties":{"purge":{"type":"boolean","description":"Removes the personal data of a job that has ended: its rejects, and what it replaced."}},"required":[]};

function validate56(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.purge !== undefined){
if(typeof data.purge !== "boolean"){
const err0 = {instancePath:instancePath+"/purge",schemaPath:"#/properties/purge/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate56.errors = vErrors;
return errors === 0;
}

exports.foreseeUndo = validate57;
const schema58 = {"type":"object","properties":{"force":{"type":"boolean"}},"required":[]};

function validate57(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.force !== undefined){
if(typeof data.force !== "boolean"){
const err0 = {instancePath:instancePath+"/force",schemaPath:"#/properties/force/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate57.errors = vErrors;
return errors === 0;
}

exports.listJobs = validate58;
const schema59 = {"type":"object","properties":{"series":{"type":"string","description":"Only the jobs of this series, each as an entry.","pattern":"^[A-Za-z0-9_.-]{1,64}$","x-why":{"pattern":"must be 1 to 64 letters, digits and any of _ . -"}},"limit":{"type":"integer","minimum":1,"maximum":500},"paginationToken":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be a token that an earlier page gave"}}},"required":[]};

function validate58(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.series !== undefined){
let data0 = data.series;
if(typeof data0 === "string"){
if(!pattern11.test(data0)){
const err0 = {instancePath:instancePath+"/series",schemaPath:"#/properties/series/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_.-]{1,64}$"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath:instancePath+"/series",schemaPath:"#/properties/series/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.limit !== undefined){
let data1 = data.limit;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err2 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 500 || isNaN(data1)){
const err3 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 500}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1 < 1 || isNaN(data1)){
const err4 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
if(data.paginationToken !== undefined){
let data2 = data.paginationToken;
if(typeof data2 === "string"){
if(!pattern17.test(data2)){
const err5 = {instancePath:instancePath+"/paginationToken",schemaPath:"#/properties/paginationToken/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/paginationToken",schemaPath:"#/properties/paginationToken/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate58.errors = vErrors;
return errors === 0;
}

exports.primaryCheck = validate59;
const schema60 = {"type":"object","properties":{"recipeUserId":{"type":"string","minLength":1,"maxLength":256}},"required":["recipeUserId"]};

function validate59(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.recipeUserId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "recipeUserId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.recipeUserId !== undefined){
let data0 = data.recipeUserId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err1 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate59.errors = vErrors;
return errors === 0;
}

exports.linkCheck = validate60;
const schema61 = {"type":"object","properties":{"recipeUserId":{"type":"string","minLength":1,"maxLength":256},"primaryUserId":{"type":"string","minLength":1,"maxLength":256}},"required":["recipeUserId","primaryUserId"]};

function validate60(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.recipeUserId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "recipeUserId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.primaryUserId === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "primaryUserId"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.recipeUserId !== undefined){
let data0 = data.recipeUserId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err2 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.primaryUserId !== undefined){
let data1 = data.primaryUserId;
if(typeof data1 === "string"){
if(data1.length > 256){
const err5 = {instancePath:instancePath+"/primaryUserId",schemaPath:"#/properties/primaryUserId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/primaryUserId",schemaPath:"#/properties/primaryUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/primaryUserId",schemaPath:"#/properties/primaryUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate60.errors = vErrors;
return errors === 0;
}

exports.methodOfUser = validate61;
const schema62 = {"type":"object","properties":{"userId":{"type":"string"},"email":{"type":"string","x-normalise":"email"},"phoneNumber":{"type":"string"},"thirdPartyId":{"type":"string","minLength":1,"maxLength":128},"thirdPartyUserId":{"type":"string","minLength":1,"maxLength":256}},"required":[]};

function validate61(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId !== undefined){
if(typeof data.userId !== "string"){
const err0 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.email !== undefined){
if(typeof data.email !== "string"){
const err1 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.phoneNumber !== undefined){
if(typeof data.phoneNumber !== "string"){
const err2 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.thirdPartyId !== undefined){
let data3 = data.thirdPartyId;
if(typeof data3 === "string"){
if(data3.length > 128){
const err3 = {instancePath:instancePath+"/thirdPartyId",schemaPath:"#/properties/thirdPartyId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data3.length < 1){
const err4 = {instancePath:instancePath+"/thirdPartyId",schemaPath:"#/properties/thirdPartyId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/thirdPartyId",schemaPath:"#/properties/thirdPartyId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.thirdPartyUserId !== undefined){
let data4 = data.thirdPartyUserId;
if(typeof data4 === "string"){
if(data4.length > 256){
const err6 = {instancePath:instancePath+"/thirdPartyUserId",schemaPath:"#/properties/thirdPartyUserId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data4.length < 1){
const err7 = {instancePath:instancePath+"/thirdPartyUserId",schemaPath:"#/properties/thirdPartyUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/thirdPartyUserId",schemaPath:"#/properties/thirdPartyUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate61.errors = vErrors;
return errors === 0;
}

exports.usersByEmail = validate62;
const schema63 = {"type":"object","properties":{"email":{"type":"string","x-normalise":"email"}},"required":["email"]};

function validate62(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.email !== undefined){
if(typeof data.email !== "string"){
const err1 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate62.errors = vErrors;
return errors === 0;
}

exports.bulkUser = validate63;
const schema64 = {"type":"object","properties":{"externalUserId":{"type":"string","minLength":1,"maxLength":128,"x-normalise":"trim"},"loginMethods":{"type":"array","minItems":1,"items":{"type":"object","properties":{"recipeId":{"type":"string","enum":["emailpassword","thirdparty","passwordless"]}},"required":["recipeId"]}},"userMetadata":{"type":"object"},"userRoles":{"type":"array","items":{"type":"object","properties":{"role":{"type":"string","minLength":1,"maxLength":255,"x-normalise":"trim"},"tenantIds":{"type":"array","minItems":1,"items":{"type":"string","x-normalise":"lower"},"x-why":{"type":"must be a list of tenant ids","minItems":"must name a tenant; leave it out for the public one"}}},"required":["role"]}},"totpDevices":{"type":"array","maxItems":10,"items":{"type":"object","properties":{"secretKey":{"type":"string","minLength":1,"maxLength":256,"x-normalise":"trim"},"secretEncoding":{"type":"string","enum":["base32","text","hex","base64","latin1"]},"algorithm":{"type":"string","enum":["SHA1","SHA256","SHA512"]},"digits":{"type":"integer","minimum":6,"maximum":8},"period":{"type":"integer","minimum":1,"maximum":86400},"skew":{"type":"integer","minimum":0,"maximum":10,"x-why":{"maximum":"must be at most 10 periods: write 10 or less"}},"deviceName":{"type":"string","minLength":1,"maxLength":256,"x-normalise":"trim"}},"required":["secretKey"]},"x-why":{"maxItems":"must not have more than 10 items: leave out devices that are not used any more"}},"backupCodes":{"type":"array","maxItems":64,"items":{"type":"object","properties":{"code":{"type":"string","minLength":6,"maxLength":64,"x-normalise":"trim"},"hash":{"type":"string","minLength":1,"maxLength":1024,"x-normalise":"trim"},"hashingAlgorithm":{"type":"string"}},"required":[]},"x-why":{"maxItems":"must not have more than 64 items"}},"secondFactors":{"type":"array","items":{"type":"string","enum":["totp","hotp","sms","email","push","webauthn","backup","other"]}},"requiredActions":{"type":"array","maxItems":64,"items":{"type":"string","minLength":1,"maxLength":255,"x-normalise":"trim"},"x-why":{"maxItems":"must not have more than 64 items"}},"isDisabled":{"type":"boolean"},"disabledUntil":{"type":"integer","minimum":0,"maximum":8640000000000000,"x-why":{"type":"must be a whole number of milliseconds since 1970","minimum":"must be a whole number of milliseconds since 1970","maximum":"must be a whole number of milliseconds since 1970"}},"sameIds":{"type":"boolean"},"restoreRemoved":{"type":"boolean"}},"required":["loginMethods"]};

function validate63(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.loginMethods === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "loginMethods"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.externalUserId !== undefined){
let data0 = data.externalUserId;
if(typeof data0 === "string"){
if(data0.length > 128){
const err1 = {instancePath:instancePath+"/externalUserId",schemaPath:"#/properties/externalUserId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/externalUserId",schemaPath:"#/properties/externalUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/externalUserId",schemaPath:"#/properties/externalUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.loginMethods !== undefined){
let data1 = data.loginMethods;
if(Array.isArray(data1)){
if(data1.length < 1){
const err4 = {instancePath:instancePath+"/loginMethods",schemaPath:"#/properties/loginMethods/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.recipeId === undefined){
const err5 = {instancePath:instancePath+"/loginMethods/" + i0,schemaPath:"#/properties/loginMethods/items/required",keyword:"required",params:{missingProperty: "recipeId"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data2.recipeId !== undefined){
let data3 = data2.recipeId;
if(typeof data3 !== "string"){
const err6 = {instancePath:instancePath+"/loginMethods/" + i0+"/recipeId",schemaPath:"#/properties/loginMethods/items/properties/recipeId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!(((data3 === "emailpassword") || (data3 === "thirdparty")) || (data3 === "passwordless"))){
const err7 = {instancePath:instancePath+"/loginMethods/" + i0+"/recipeId",schemaPath:"#/properties/loginMethods/items/properties/recipeId/enum",keyword:"enum",params:{allowedValues: schema64.properties.loginMethods.items.properties.recipeId.enum}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/loginMethods/" + i0,schemaPath:"#/properties/loginMethods/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath:instancePath+"/loginMethods",schemaPath:"#/properties/loginMethods/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.userMetadata !== undefined){
let data4 = data.userMetadata;
if(!(data4 && typeof data4 == "object" && !Array.isArray(data4))){
const err10 = {instancePath:instancePath+"/userMetadata",schemaPath:"#/properties/userMetadata/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.userRoles !== undefined){
let data5 = data.userRoles;
if(Array.isArray(data5)){
const len1 = data5.length;
for(let i1=0; i1<len1; i1++){
let data6 = data5[i1];
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(data6.role === undefined){
const err11 = {instancePath:instancePath+"/userRoles/" + i1,schemaPath:"#/properties/userRoles/items/required",keyword:"required",params:{missingProperty: "role"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data6.role !== undefined){
let data7 = data6.role;
if(typeof data7 === "string"){
if(data7.length > 255){
const err12 = {instancePath:instancePath+"/userRoles/" + i1+"/role",schemaPath:"#/properties/userRoles/items/properties/role/maxLength",keyword:"maxLength",params:{limit: 255}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data7.length < 1){
const err13 = {instancePath:instancePath+"/userRoles/" + i1+"/role",schemaPath:"#/properties/userRoles/items/properties/role/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/userRoles/" + i1+"/role",schemaPath:"#/properties/userRoles/items/properties/role/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data6.tenantIds !== undefined){
let data8 = data6.tenantIds;
if(Array.isArray(data8)){
if(data8.length < 1){
const err15 = {instancePath:instancePath+"/userRoles/" + i1+"/tenantIds",schemaPath:"#/properties/userRoles/items/properties/tenantIds/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
const len2 = data8.length;
for(let i2=0; i2<len2; i2++){
if(typeof data8[i2] !== "string"){
const err16 = {instancePath:instancePath+"/userRoles/" + i1+"/tenantIds/" + i2,schemaPath:"#/properties/userRoles/items/properties/tenantIds/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath:instancePath+"/userRoles/" + i1+"/tenantIds",schemaPath:"#/properties/userRoles/items/properties/tenantIds/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/userRoles/" + i1,schemaPath:"#/properties/userRoles/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath:instancePath+"/userRoles",schemaPath:"#/properties/userRoles/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.totpDevices !== undefined){
let data10 = data.totpDevices;
if(Array.isArray(data10)){
if(data10.length > 10){
const err20 = {instancePath:instancePath+"/totpDevices",schemaPath:"#/properties/totpDevices/maxItems",keyword:"maxItems",params:{limit: 10}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
const len3 = data10.length;
for(let i3=0; i3<len3; i3++){
let data11 = data10[i3];
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if(data11.secretKey === undefined){
const err21 = {instancePath:instancePath+"/totpDevices/" + i3,schemaPath:"#/properties/totpDevices/items/required",keyword:"required",params:{missingProperty: "secretKey"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(data11.secretKey !== undefined){
let data12 = data11.secretKey;
if(typeof data12 === "string"){
if(data12.length > 256){
const err22 = {instancePath:instancePath+"/totpDevices/" + i3+"/secretKey",schemaPath:"#/properties/totpDevices/items/properties/secretKey/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(data12.length < 1){
const err23 = {instancePath:instancePath+"/totpDevices/" + i3+"/secretKey",schemaPath:"#/properties/totpDevices/items/properties/secretKey/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/totpDevices/" + i3+"/secretKey",schemaPath:"#/properties/totpDevices/items/properties/secretKey/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data11.secretEncoding !== undefined){
let data13 = data11.secretEncoding;
if(typeof data13 !== "string"){
const err25 = {instancePath:instancePath+"/totpDevices/" + i3+"/secretEncoding",schemaPath:"#/properties/totpDevices/items/properties/secretEncoding/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(!(((((data13 === "base32") || (data13 === "text")) || (data13 === "hex")) || (data13 === "base64")) || (data13 === "latin1"))){
const err26 = {instancePath:instancePath+"/totpDevices/" + i3+"/secretEncoding",schemaPath:"#/properties/totpDevices/items/properties/secretEncoding/enum",keyword:"enum",params:{allowedValues: schema64.properties.totpDevices.items.properties.secretEncoding.enum}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data11.algorithm !== undefined){
let data14 = data11.algorithm;
if(typeof data14 !== "string"){
const err27 = {instancePath:instancePath+"/totpDevices/" + i3+"/algorithm",schemaPath:"#/properties/totpDevices/items/properties/algorithm/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(!(((data14 === "SHA1") || (data14 === "SHA256")) || (data14 === "SHA512"))){
const err28 = {instancePath:instancePath+"/totpDevices/" + i3+"/algorithm",schemaPath:"#/properties/totpDevices/items/properties/algorithm/enum",keyword:"enum",params:{allowedValues: schema64.properties.totpDevices.items.properties.algorithm.enum}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data11.digits !== undefined){
let data15 = data11.digits;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
const err29 = {instancePath:instancePath+"/totpDevices/" + i3+"/digits",schemaPath:"#/properties/totpDevices/items/properties/digits/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 8 || isNaN(data15)){
const err30 = {instancePath:instancePath+"/totpDevices/" + i3+"/digits",schemaPath:"#/properties/totpDevices/items/properties/digits/maximum",keyword:"maximum",params:{comparison: "<=", limit: 8}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
if(data15 < 6 || isNaN(data15)){
const err31 = {instancePath:instancePath+"/totpDevices/" + i3+"/digits",schemaPath:"#/properties/totpDevices/items/properties/digits/minimum",keyword:"minimum",params:{comparison: ">=", limit: 6}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
}
if(data11.period !== undefined){
let data16 = data11.period;
if(!(((typeof data16 == "number") && (!(data16 % 1) && !isNaN(data16))) && (isFinite(data16)))){
const err32 = {instancePath:instancePath+"/totpDevices/" + i3+"/period",schemaPath:"#/properties/totpDevices/items/properties/period/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 86400 || isNaN(data16)){
const err33 = {instancePath:instancePath+"/totpDevices/" + i3+"/period",schemaPath:"#/properties/totpDevices/items/properties/period/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
if(data16 < 1 || isNaN(data16)){
const err34 = {instancePath:instancePath+"/totpDevices/" + i3+"/period",schemaPath:"#/properties/totpDevices/items/properties/period/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
if(data11.skew !== undefined){
let data17 = data11.skew;
if(!(((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17))) && (isFinite(data17)))){
const err35 = {instancePath:instancePath+"/totpDevices/" + i3+"/skew",schemaPath:"#/properties/totpDevices/items/properties/skew/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 > 10 || isNaN(data17)){
const err36 = {instancePath:instancePath+"/totpDevices/" + i3+"/skew",schemaPath:"#/properties/totpDevices/items/properties/skew/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if(data17 < 0 || isNaN(data17)){
const err37 = {instancePath:instancePath+"/totpDevices/" + i3+"/skew",schemaPath:"#/properties/totpDevices/items/properties/skew/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
if(data11.deviceName !== undefined){
let data18 = data11.deviceName;
if(typeof data18 === "string"){
if(data18.length > 256){
const err38 = {instancePath:instancePath+"/totpDevices/" + i3+"/deviceName",schemaPath:"#/properties/totpDevices/items/properties/deviceName/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if(data18.length < 1){
const err39 = {instancePath:instancePath+"/totpDevices/" + i3+"/deviceName",schemaPath:"#/properties/totpDevices/items/properties/deviceName/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
else {
const err40 = {instancePath:instancePath+"/totpDevices/" + i3+"/deviceName",schemaPath:"#/properties/totpDevices/items/properties/deviceName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
else {
const err41 = {instancePath:instancePath+"/totpDevices/" + i3,schemaPath:"#/properties/totpDevices/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
}
else {
const err42 = {instancePath:instancePath+"/totpDevices",schemaPath:"#/properties/totpDevices/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
if(data.backupCodes !== undefined){
let data19 = data.backupCodes;
if(Array.isArray(data19)){
if(data19.length > 64){
const err43 = {instancePath:instancePath+"/backupCodes",schemaPath:"#/properties/backupCodes/maxItems",keyword:"maxItems",params:{limit: 64}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
const len4 = data19.length;
for(let i4=0; i4<len4; i4++){
let data20 = data19[i4];
if(data20 && typeof data20 == "object" && !Array.isArray(data20)){
if(data20.code !== undefined){
let data21 = data20.code;
if(typeof data21 === "string"){
if(data21.length > 64){
const err44 = {instancePath:instancePath+"/backupCodes/" + i4+"/code",schemaPath:"#/properties/backupCodes/items/properties/code/maxLength",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(data21.length < 6){
const err45 = {instancePath:instancePath+"/backupCodes/" + i4+"/code",schemaPath:"#/properties/backupCodes/items/properties/code/minLength",keyword:"minLength",params:{limit: 6}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
else {
const err46 = {instancePath:instancePath+"/backupCodes/" + i4+"/code",schemaPath:"#/properties/backupCodes/items/properties/code/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data20.hash !== undefined){
let data22 = data20.hash;
if(typeof data22 === "string"){
if(data22.length > 1024){
const err47 = {instancePath:instancePath+"/backupCodes/" + i4+"/hash",schemaPath:"#/properties/backupCodes/items/properties/hash/maxLength",keyword:"maxLength",params:{limit: 1024}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
if(data22.length < 1){
const err48 = {instancePath:instancePath+"/backupCodes/" + i4+"/hash",schemaPath:"#/properties/backupCodes/items/properties/hash/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
else {
const err49 = {instancePath:instancePath+"/backupCodes/" + i4+"/hash",schemaPath:"#/properties/backupCodes/items/properties/hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data20.hashingAlgorithm !== undefined){
if(typeof data20.hashingAlgorithm !== "string"){
const err50 = {instancePath:instancePath+"/backupCodes/" + i4+"/hashingAlgorithm",schemaPath:"#/properties/backupCodes/items/properties/hashingAlgorithm/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
}
else {
const err51 = {instancePath:instancePath+"/backupCodes/" + i4,schemaPath:"#/properties/backupCodes/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
}
else {
const err52 = {instancePath:instancePath+"/backupCodes",schemaPath:"#/properties/backupCodes/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
if(data.secondFactors !== undefined){
let data24 = data.secondFactors;
if(Array.isArray(data24)){
const len5 = data24.length;
for(let i5=0; i5<len5; i5++){
let data25 = data24[i5];
if(typeof data25 !== "string"){
const err53 = {instancePath:instancePath+"/secondFactors/" + i5,schemaPath:"#/properties/secondFactors/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
if(!((((((((data25 === "totp") || (data25 === "hotp")) || (data25 === "sms")) || (data25 === "email")) || (data25 === "push")) || (data25 === "webauthn")) || (data25 === "backup")) || (data25 === "other"))){
const err54 = {instancePath:instancePath+"/secondFactors/" + i5,schemaPath:"#/properties/secondFactors/items/enum",keyword:"enum",params:{allowedValues: schema64.properties.secondFactors.items.enum}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
}
else {
const err55 = {instancePath:instancePath+"/secondFactors",schemaPath:"#/properties/secondFactors/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data.requiredActions !== undefined){
let data26 = data.requiredActions;
if(Array.isArray(data26)){
if(data26.length > 64){
const err56 = {instancePath:instancePath+"/requiredActions",schemaPath:"#/properties/requiredActions/maxItems",keyword:"maxItems",params:{limit: 64}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
const len6 = data26.length;
for(let i6=0; i6<len6; i6++){
let data27 = data26[i6];
if(typeof data27 === "string"){
if(data27.length > 255){
const err57 = {instancePath:instancePath+"/requiredActions/" + i6,schemaPath:"#/properties/requiredActions/items/maxLength",keyword:"maxLength",params:{limit: 255}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
if(data27.length < 1){
const err58 = {instancePath:instancePath+"/requiredActions/" + i6,schemaPath:"#/properties/requiredActions/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
else {
const err59 = {instancePath:instancePath+"/requiredActions/" + i6,schemaPath:"#/properties/requiredActions/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
}
else {
const err60 = {instancePath:instancePath+"/requiredActions",schemaPath:"#/properties/requiredActions/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
if(data.isDisabled !== undefined){
if(typeof data.isDisabled !== "boolean"){
const err61 = {instancePath:instancePath+"/isDisabled",schemaPath:"#/properties/isDisabled/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
if(data.disabledUntil !== undefined){
let data29 = data.disabledUntil;
if(!(((typeof data29 == "number") && (!(data29 % 1) && !isNaN(data29))) && (isFinite(data29)))){
const err62 = {instancePath:instancePath+"/disabledUntil",schemaPath:"#/properties/disabledUntil/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if((typeof data29 == "number") && (isFinite(data29))){
if(data29 > 8640000000000000 || isNaN(data29)){
const err63 = {instancePath:instancePath+"/disabledUntil",schemaPath:"#/properties/disabledUntil/maximum",keyword:"maximum",params:{comparison: "<=", limit: 8640000000000000}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
if(data29 < 0 || isNaN(data29)){
const err64 = {instancePath:instancePath+"/disabledUntil",schemaPath:"#/properties/disabledUntil/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
}
if(data.sameIds !== undefined){
if(typeof data.sameIds !== "boolean"){
const err65 = {instancePath:instancePath+"/sameIds",schemaPath:"#/properties/sameIds/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
if(data.restoreRemoved !== undefined){
if(typeof data.restoreRemoved !== "boolean"){
const err66 = {instancePath:instancePath+"/restoreRemoved",schemaPath:"#/properties/restoreRemoved/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
}
else {
const err67 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
validate63.errors = vErrors;
return errors === 0;
}

exports.bulkPasswordMethod = validate64;
const schema65 = {"type":"object","properties":{"recipeId":{"type":"string"},"email":{"type":"string","description":"Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.","minLength":1,"maxLength":256,"pattern":"^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$","x-normalise":"email","x-why":{"pattern":"must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs"}},"passwordHash":{"type":"string","x-normalise":"trim"},"hashingAlgorithm":{"type":"string"},"passwordTransforms":{"type":"string"},"plainTextPassword":{"type":"string","description":"At most 4096 bytes of UTF-8; neither trimmed nor normalised.","minLength":1,"x-maxBytes":4096,"x-messages":{"minLength":"Password cannot be an empty string"}},"legacy":{"type":"string","x-normalise":"trim"},"tenantIds":{"type":"array","minItems":1,"items":{"type":"string","x-normalise":"lower"},"x-why":{"type":"must be a list of tenant ids","minItems":"must name a tenant; leave it out for the public one"}},"isVerified":{"type":"boolean"},"isPrimary":{"type":"boolean"},"timeJoinedInMSSinceEpoch":{"type":"integer","minimum":0,"maximum":8640000000000000,"x-why":{"type":"must be a whole number of milliseconds since 1970","minimum":"must be a whole number of milliseconds since 1970","maximum":"must be a whole number of milliseconds since 1970"}}},"required":["recipeId","email"]};

function validate64(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.recipeId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "recipeId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.email === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.recipeId !== undefined){
if(typeof data.recipeId !== "string"){
const err2 = {instancePath:instancePath+"/recipeId",schemaPath:"#/properties/recipeId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.email !== undefined){
let data1 = data.email;
if(typeof data1 === "string"){
if(data1.length > 256){
const err3 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1.length < 1){
const err4 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!pattern0.test(data1)){
const err5 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.passwordHash !== undefined){
if(typeof data.passwordHash !== "string"){
const err7 = {instancePath:instancePath+"/passwordHash",schemaPath:"#/properties/passwordHash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.hashingAlgorithm !== undefined){
if(typeof data.hashingAlgorithm !== "string"){
const err8 = {instancePath:instancePath+"/hashingAlgorithm",schemaPath:"#/properties/hashingAlgorithm/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.passwordTransforms !== undefined){
if(typeof data.passwordTransforms !== "string"){
const err9 = {instancePath:instancePath+"/passwordTransforms",schemaPath:"#/properties/passwordTransforms/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.plainTextPassword !== undefined){
let data5 = data.plainTextPassword;
if(typeof data5 === "string"){
if(data5.length < 1){
const err10 = {instancePath:instancePath+"/plainTextPassword",schemaPath:"#/properties/plainTextPassword/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(Buffer.byteLength(data5) > 4096){
const err11 = {instancePath:instancePath+"/plainTextPassword",schemaPath:"#/properties/plainTextPassword/x-maxBytes",keyword:"x-maxBytes",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/plainTextPassword",schemaPath:"#/properties/plainTextPassword/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.legacy !== undefined){
if(typeof data.legacy !== "string"){
const err13 = {instancePath:instancePath+"/legacy",schemaPath:"#/properties/legacy/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.tenantIds !== undefined){
let data7 = data.tenantIds;
if(Array.isArray(data7)){
if(data7.length < 1){
const err14 = {instancePath:instancePath+"/tenantIds",schemaPath:"#/properties/tenantIds/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
const len0 = data7.length;
for(let i0=0; i0<len0; i0++){
if(typeof data7[i0] !== "string"){
const err15 = {instancePath:instancePath+"/tenantIds/" + i0,schemaPath:"#/properties/tenantIds/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
else {
const err16 = {instancePath:instancePath+"/tenantIds",schemaPath:"#/properties/tenantIds/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.isVerified !== undefined){
if(typeof data.isVerified !== "boolean"){
const err17 = {instancePath:instancePath+"/isVerified",schemaPath:"#/properties/isVerified/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.isPrimary !== undefined){
if(typeof data.isPrimary !== "boolean"){
const err18 = {instancePath:instancePath+"/isPrimary",schemaPath:"#/properties/isPrimary/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.timeJoinedInMSSinceEpoch !== undefined){
let data11 = data.timeJoinedInMSSinceEpoch;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err19 = {instancePath:instancePath+"/timeJoinedInMSSinceEpoch",schemaPath:"#/properties/timeJoinedInMSSinceEpoch/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 8640000000000000 || isNaN(data11)){
const err20 = {instancePath:instancePath+"/timeJoinedInMSSinceEpoch",schemaPath:"#/properties/timeJoinedInMSSinceEpoch/maximum",keyword:"maximum",params:{comparison: "<=", limit: 8640000000000000}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(data11 < 0 || isNaN(data11)){
const err21 = {instancePath:instancePath+"/timeJoinedInMSSinceEpoch",schemaPath:"#/properties/timeJoinedInMSSinceEpoch/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
}
else {
const err22 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
validate64.errors = vErrors;
return errors === 0;
}

exports.bulkThirdPartyMethod = validate65;
const schema66 = {"type":"object","properties":{"recipeId":{"type":"string"},"email":{"type":"string","description":"Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.","minLength":1,"maxLength":256,"pattern":"^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$","x-normalise":"email","x-why":{"pattern":"must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs"}},"thirdPartyId":{"type":"string","minLength":1,"maxLength":128},"thirdPartyUserId":{"type":"string","minLength":1,"maxLength":256},"tenantIds":{"type":"array","minItems":1,"items":{"type":"string","x-normalise":"lower"},"x-why":{"type":"must be a list of tenant ids","minItems":"must name a tenant; leave it out for the public one"}},"isVerified":{"type":"boolean"},"isPrimary":{"type":"boolean"},"timeJoinedInMSSinceEpoch":{"type":"integer","minimum":0,"maximum":8640000000000000,"x-why":{"type":"must be a whole number of milliseconds since 1970","minimum":"must be a whole number of milliseconds since 1970","maximum":"must be a whole number of milliseconds since 1970"}}},"required":["recipeId","email","thirdPartyId","thirdPartyUserId"]};

function validate65(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.recipeId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "recipeId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.email === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.thirdPartyId === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "thirdPartyId"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.thirdPartyUserId === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "thirdPartyUserId"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.recipeId !== undefined){
if(typeof data.recipeId !== "string"){
const err4 = {instancePath:instancePath+"/recipeId",schemaPath:"#/properties/recipeId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.email !== undefined){
let data1 = data.email;
if(typeof data1 === "string"){
if(data1.length > 256){
const err5 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!pattern0.test(data1)){
const err7 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.thirdPartyId !== undefined){
let data2 = data.thirdPartyId;
if(typeof data2 === "string"){
if(data2.length > 128){
const err9 = {instancePath:instancePath+"/thirdPartyId",schemaPath:"#/properties/thirdPartyId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data2.length < 1){
const err10 = {instancePath:instancePath+"/thirdPartyId",schemaPath:"#/properties/thirdPartyId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/thirdPartyId",schemaPath:"#/properties/thirdPartyId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.thirdPartyUserId !== undefined){
let data3 = data.thirdPartyUserId;
if(typeof data3 === "string"){
if(data3.length > 256){
const err12 = {instancePath:instancePath+"/thirdPartyUserId",schemaPath:"#/properties/thirdPartyUserId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data3.length < 1){
const err13 = {instancePath:instancePath+"/thirdPartyUserId",schemaPath:"#/properties/thirdPartyUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/thirdPartyUserId",schemaPath:"#/properties/thirdPartyUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.tenantIds !== undefined){
let data4 = data.tenantIds;
if(Array.isArray(data4)){
if(data4.length < 1){
const err15 = {instancePath:instancePath+"/tenantIds",schemaPath:"#/properties/tenantIds/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
if(typeof data4[i0] !== "string"){
const err16 = {instancePath:instancePath+"/tenantIds/" + i0,schemaPath:"#/properties/tenantIds/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath:instancePath+"/tenantIds",schemaPath:"#/properties/tenantIds/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.isVerified !== undefined){
if(typeof data.isVerified !== "boolean"){
const err18 = {instancePath:instancePath+"/isVerified",schemaPath:"#/properties/isVerified/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.isPrimary !== undefined){
if(typeof data.isPrimary !== "boolean"){
const err19 = {instancePath:instancePath+"/isPrimary",schemaPath:"#/properties/isPrimary/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.timeJoinedInMSSinceEpoch !== undefined){
let data8 = data.timeJoinedInMSSinceEpoch;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err20 = {instancePath:instancePath+"/timeJoinedInMSSinceEpoch",schemaPath:"#/properties/timeJoinedInMSSinceEpoch/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 8640000000000000 || isNaN(data8)){
const err21 = {instancePath:instancePath+"/timeJoinedInMSSinceEpoch",schemaPath:"#/properties/timeJoinedInMSSinceEpoch/maximum",keyword:"maximum",params:{comparison: "<=", limit: 8640000000000000}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(data8 < 0 || isNaN(data8)){
const err22 = {instancePath:instancePath+"/timeJoinedInMSSinceEpoch",schemaPath:"#/properties/timeJoinedInMSSinceEpoch/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
}
else {
const err23 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
validate65.errors = vErrors;
return errors === 0;
}

exports.bulkPasswordlessMethod = validate66;
const schema67 = {"type":"object","properties":{"recipeId":{"type":"string"},"email":{"type":"string","description":"Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.","minLength":1,"maxLength":256,"pattern":"^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$","x-normalise":"email","x-why":{"pattern":"must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs"}},"phoneNumber":{"type":"string","pattern":"^\\+[1-9][0-9]{4,14}$","x-normalise":"trim","x-why":{"pattern":"must be in E.164: + and 5 to 15 digits with the country code, without spaces"}},"tenantIds":{"type":"array","minItems":1,"items":{"type":"string","x-normalise":"lower"},"x-why":{"type":"must be a list of tenant ids","minItems":"must name a tenant; leave it out for the public one"}},"isVerified":{"type":"boolean"},"isPrimary":{"type":"boolean"},"timeJoinedInMSSinceEpoch":{"type":"integer","minimum":0,"maximum":8640000000000000,"x-why":{"type":"must be a whole number of milliseconds since 1970","minimum":"must be a whole number of milliseconds since 1970","maximum":"must be a whole number of milliseconds since 1970"}}},"required":["recipeId"]};
const pattern26 = new RegExp("^\\+[1-9][0-9]{4,14}$", "u");

function validate66(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.recipeId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "recipeId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.recipeId !== undefined){
if(typeof data.recipeId !== "string"){
const err1 = {instancePath:instancePath+"/recipeId",schemaPath:"#/properties/recipeId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.email !== undefined){
let data1 = data.email;
if(typeof data1 === "string"){
if(data1.length > 256){
const err2 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data1.length < 1){
const err3 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!pattern0.test(data1)){
const err4 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.phoneNumber !== undefined){
let data2 = data.phoneNumber;
if(typeof data2 === "string"){
if(!pattern26.test(data2)){
const err6 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/pattern",keyword:"pattern",params:{pattern: "^\\+[1-9][0-9]{4,14}$"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.tenantIds !== undefined){
let data3 = data.tenantIds;
if(Array.isArray(data3)){
if(data3.length < 1){
const err8 = {instancePath:instancePath+"/tenantIds",schemaPath:"#/properties/tenantIds/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
if(typeof data3[i0] !== "string"){
const err9 = {instancePath:instancePath+"/tenantIds/" + i0,schemaPath:"#/properties/tenantIds/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath:instancePath+"/tenantIds",schemaPath:"#/properties/tenantIds/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.isVerified !== undefined){
if(typeof data.isVerified !== "boolean"){
const err11 = {instancePath:instancePath+"/isVerified",schemaPath:"#/properties/isVerified/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.isPrimary !== undefined){
if(typeof data.isPrimary !== "boolean"){
const err12 = {instancePath:instancePath+"/isPrimary",schemaPath:"#/properties/isPrimary/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.timeJoinedInMSSinceEpoch !== undefined){
let data7 = data.timeJoinedInMSSinceEpoch;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
const err13 = {instancePath:instancePath+"/timeJoinedInMSSinceEpoch",schemaPath:"#/properties/timeJoinedInMSSinceEpoch/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 8640000000000000 || isNaN(data7)){
const err14 = {instancePath:instancePath+"/timeJoinedInMSSinceEpoch",schemaPath:"#/properties/timeJoinedInMSSinceEpoch/maximum",keyword:"maximum",params:{comparison: "<=", limit: 8640000000000000}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data7 < 0 || isNaN(data7)){
const err15 = {instancePath:instancePath+"/timeJoinedInMSSinceEpoch",schemaPath:"#/properties/timeJoinedInMSSinceEpoch/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
}
else {
const err16 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
validate66.errors = vErrors;
return errors === 0;
}

exports.createSession = validate67;
const schema68 = {"type":"object","properties":{"userId":{"type":"string","maxLength":128},"enableAntiCsrf":{"type":"boolean"},"userDataInJWT":{"type":"object"},"userDataInDatabase":{"type":"object"},"useDynamicSigningKey":{"type":"boolean"}},"required":["userId","enableAntiCsrf","userDataInJWT","userDataInDatabase"]};

function validate67(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.enableAntiCsrf === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "enableAntiCsrf"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.userDataInJWT === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userDataInJWT"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.userDataInDatabase === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userDataInDatabase"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 128){
const err4 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.enableAntiCsrf !== undefined){
if(typeof data.enableAntiCsrf !== "boolean"){
const err6 = {instancePath:instancePath+"/enableAntiCsrf",schemaPath:"#/properties/enableAntiCsrf/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.userDataInJWT !== undefined){
let data2 = data.userDataInJWT;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
const err7 = {instancePath:instancePath+"/userDataInJWT",schemaPath:"#/properties/userDataInJWT/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.userDataInDatabase !== undefined){
let data3 = data.userDataInDatabase;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
const err8 = {instancePath:instancePath+"/userDataInDatabase",schemaPath:"#/properties/userDataInDatabase/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.useDynamicSigningKey !== undefined){
if(typeof data.useDynamicSigningKey !== "boolean"){
const err9 = {instancePath:instancePath+"/useDynamicSigningKey",schemaPath:"#/properties/useDynamicSigningKey/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate67.errors = vErrors;
return errors === 0;
}

exports.refreshSession = validate68;
const schema69 = {"type":"object","properties":{"refreshToken":{"type":"string"},"antiCsrfToken":{"type":["string","null"]},"enableAntiCsrf":{"type":"boolean"},"useDynamicSigningKey":{"type":"boolean"}},"required":["refreshToken","enableAntiCsrf","useDynamicSigningKey"]};

function validate68(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.refreshToken === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "refreshToken"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.enableAntiCsrf === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "enableAntiCsrf"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.useDynamicSigningKey === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "useDynamicSigningKey"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.refreshToken !== undefined){
if(typeof data.refreshToken !== "string"){
const err3 = {instancePath:instancePath+"/refreshToken",schemaPath:"#/properties/refreshToken/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.antiCsrfToken !== undefined){
let data1 = data.antiCsrfToken;
if((typeof data1 !== "string") && (data1 !== null)){
const err4 = {instancePath:instancePath+"/antiCsrfToken",schemaPath:"#/properties/antiCsrfToken/type",keyword:"type",params:{type: schema69.properties.antiCsrfToken.type}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.enableAntiCsrf !== undefined){
if(typeof data.enableAntiCsrf !== "boolean"){
const err5 = {instancePath:instancePath+"/enableAntiCsrf",schemaPath:"#/properties/enableAntiCsrf/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.useDynamicSigningKey !== undefined){
if(typeof data.useDynamicSigningKey !== "boolean"){
const err6 = {instancePath:instancePath+"/useDynamicSigningKey",schemaPath:"#/properties/useDynamicSigningKey/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate68.errors = vErrors;
return errors === 0;
}

exports.verifySession = validate69;
const schema70 = {"type":"object","properties":{"accessToken":{"type":"string"},"antiCsrfToken":{"type":["string","null"]},"doAntiCsrfCheck":{"type":"boolean"},"enableAntiCsrf":{"type":"boolean"},"checkDatabase":{"type":"boolean"}},"required":["accessToken","doAntiCsrfCheck","enableAntiCsrf","checkDatabase"]};

function validate69(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.accessToken === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "accessToken"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.doAntiCsrfCheck === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "doAntiCsrfCheck"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.enableAntiCsrf === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "enableAntiCsrf"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.checkDatabase === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "checkDatabase"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.accessToken !== undefined){
if(typeof data.accessToken !== "string"){
const err4 = {instancePath:instancePath+"/accessToken",schemaPath:"#/properties/accessToken/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.antiCsrfToken !== undefined){
let data1 = data.antiCsrfToken;
if((typeof data1 !== "string") && (data1 !== null)){
const err5 = {instancePath:instancePath+"/antiCsrfToken",schemaPath:"#/properties/antiCsrfToken/type",keyword:"type",params:{type: schema70.properties.antiCsrfToken.type}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.doAntiCsrfCheck !== undefined){
if(typeof data.doAntiCsrfCheck !== "boolean"){
const err6 = {instancePath:instancePath+"/doAntiCsrfCheck",schemaPath:"#/properties/doAntiCsrfCheck/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.enableAntiCsrf !== undefined){
if(typeof data.enableAntiCsrf !== "boolean"){
const err7 = {instancePath:instancePath+"/enableAntiCsrf",schemaPath:"#/properties/enableAntiCsrf/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.checkDatabase !== undefined){
if(typeof data.checkDatabase !== "boolean"){
const err8 = {instancePath:instancePath+"/checkDatabase",schemaPath:"#/properties/checkDatabase/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate69.errors = vErrors;
return errors === 0;
}

exports.regenerateSession = validate70;
const schema71 = {"type":"object","properties":{"accessToken":{"type":"string"},"userDataInJWT":{"type":["object","null"]}},"required":["accessToken"]};

function validate70(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.accessToken === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "accessToken"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.accessToken !== undefined){
if(typeof data.accessToken !== "string"){
const err1 = {instancePath:instancePath+"/accessToken",schemaPath:"#/properties/accessToken/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.userDataInJWT !== undefined){
let data1 = data.userDataInJWT;
if((!(data1 && typeof data1 == "object" && !Array.isArray(data1))) && (data1 !== null)){
const err2 = {instancePath:instancePath+"/userDataInJWT",schemaPath:"#/properties/userDataInJWT/type",keyword:"type",params:{type: schema71.properties.userDataInJWT.type}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate70.errors = vErrors;
return errors === 0;
}

exports.putSessionData = validate71;
const schema72 = {"type":"object","properties":{"sessionHandle":{"type":"string"},"userDataInDatabase":{"type":"object"}},"required":["sessionHandle","userDataInDatabase"]};

function validate71(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.sessionHandle === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "sessionHandle"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userDataInDatabase === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userDataInDatabase"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.sessionHandle !== undefined){
if(typeof data.sessionHandle !== "string"){
const err2 = {instancePath:instancePath+"/sessionHandle",schemaPath:"#/properties/sessionHandle/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.userDataInDatabase !== undefined){
let data1 = data.userDataInDatabase;
if(!(data1 && typeof data1 == "object" && !Array.isArray(data1))){
const err3 = {instancePath:instancePath+"/userDataInDatabase",schemaPath:"#/properties/userDataInDatabase/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate71.errors = vErrors;
return errors === 0;
}

exports.putJwtData = validate72;
const schema73 = {"type":"object","properties":{"sessionHandle":{"type":"string"},"userDataInJWT":{"type":"object"}},"required":["sessionHandle","userDataInJWT"]};

function validate72(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.sessionHandle === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "sessionHandle"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userDataInJWT === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userDataInJWT"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.sessionHandle !== undefined){
if(typeof data.sessionHandle !== "string"){
const err2 = {instancePath:instancePath+"/sessionHandle",schemaPath:"#/properties/sessionHandle/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.userDataInJWT !== undefined){
let data1 = data.userDataInJWT;
if(!(data1 && typeof data1 == "object" && !Array.isArray(data1))){
const err3 = {instancePath:instancePath+"/userDataInJWT",schemaPath:"#/properties/userDataInJWT/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate72.errors = vErrors;
return errors === 0;
}

exports.removeSessions = validate73;
const schema74 = {"type":"object","properties":{"sessionHandles":{"type":"array","items":{"type":"string"}},"userId":{"type":"string","maxLength":128},"revokeAcrossAllTenants":{"type":"boolean"},"revokeSessionsForLinkedAccounts":{"type":"boolean"}},"required":[]};

function validate73(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.sessionHandles !== undefined){
let data0 = data.sessionHandles;
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(typeof data0[i0] !== "string"){
const err0 = {instancePath:instancePath+"/sessionHandles/" + i0,schemaPath:"#/properties/sessionHandles/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
}
else {
const err1 = {instancePath:instancePath+"/sessionHandles",schemaPath:"#/properties/sessionHandles/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.userId !== undefined){
let data2 = data.userId;
if(typeof data2 === "string"){
if(data2.length > 128){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.revokeAcrossAllTenants !== undefined){
if(typeof data.revokeAcrossAllTenants !== "boolean"){
const err4 = {instancePath:instancePath+"/revokeAcrossAllTenants",schemaPath:"#/properties/revokeAcrossAllTenants/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.revokeSessionsForLinkedAccounts !== undefined){
if(typeof data.revokeSessionsForLinkedAccounts !== "boolean"){
const err5 = {instancePath:instancePath+"/revokeSessionsForLinkedAccounts",schemaPath:"#/properties/revokeSessionsForLinkedAccounts/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate73.errors = vErrors;
return errors === 0;
}

exports.createJwt = validate74;
const schema75 = {"type":"object","properties":{"algorithm":{"type":"string"},"jwksDomain":{"type":"string"},"payload":{"type":"object"},"validity":{"type":"integer","minimum":1,"x-messages":{"minimum":"validity must be greater than or equal to 0"}},"useStaticSigningKey":{"type":"boolean"}},"required":["algorithm","jwksDomain","payload","validity"]};

function validate74(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.algorithm === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "algorithm"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.jwksDomain === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "jwksDomain"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.payload === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "payload"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.validity === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "validity"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.algorithm !== undefined){
if(typeof data.algorithm !== "string"){
const err4 = {instancePath:instancePath+"/algorithm",schemaPath:"#/properties/algorithm/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.jwksDomain !== undefined){
if(typeof data.jwksDomain !== "string"){
const err5 = {instancePath:instancePath+"/jwksDomain",schemaPath:"#/properties/jwksDomain/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.payload !== undefined){
let data2 = data.payload;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
const err6 = {instancePath:instancePath+"/payload",schemaPath:"#/properties/payload/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.validity !== undefined){
let data3 = data.validity;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err7 = {instancePath:instancePath+"/validity",schemaPath:"#/properties/validity/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 1 || isNaN(data3)){
const err8 = {instancePath:instancePath+"/validity",schemaPath:"#/properties/validity/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
if(data.useStaticSigningKey !== undefined){
if(typeof data.useStaticSigningKey !== "boolean"){
const err9 = {instancePath:instancePath+"/useStaticSigningKey",schemaPath:"#/properties/useStaticSigningKey/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate74.errors = vErrors;
return errors === 0;
}

exports.session = validate75;
const schema76 = {"type":"object","properties":{"sessionHandle":{"type":"string"}},"required":["sessionHandle"]};

function validate75(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.sessionHandle === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "sessionHandle"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.sessionHandle !== undefined){
if(typeof data.sessionHandle !== "string"){
const err1 = {instancePath:instancePath+"/sessionHandle",schemaPath:"#/properties/sessionHandle/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate75.errors = vErrors;
return errors === 0;
}

exports.listSessions = validate76;
const schema77 = {"type":"object","properties":{"userId":{"type":"string"},"fetchAcrossAllTenants":{"type":"boolean"},"fetchSessionsForAllLinkedAccounts":{"type":"boolean"}},"required":["userId"]};

function validate76(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userId !== undefined){
if(typeof data.userId !== "string"){
const err1 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.fetchAcrossAllTenants !== undefined){
if(typeof data.fetchAcrossAllTenants !== "boolean"){
const err2 = {instancePath:instancePath+"/fetchAcrossAllTenants",schemaPath:"#/properties/fetchAcrossAllTenants/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.fetchSessionsForAllLinkedAccounts !== undefined){
if(typeof data.fetchSessionsForAllLinkedAccounts !== "boolean"){
const err3 = {instancePath:instancePath+"/fetchSessionsForAllLinkedAccounts",schemaPath:"#/properties/fetchSessionsForAllLinkedAccounts/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate76.errors = vErrors;
return errors === 0;
}

exports.carrySession = validate77;
const schema78 = {"type":"object","properties":{"source":{"type":"string"},"token":{"type":"string","minLength":1,"maxLength":32768},"userDataInJWT":{"type":"object"},"userDataInDatabase":{"type":"object"},"enableAntiCsrf":{"type":"boolean"},"useDynamicSigningKey":{"type":"boolean"}},"required":["source","token"]};

function validate77(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.source === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "source"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.token === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "token"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.source !== undefined){
if(typeof data.source !== "string"){
const err2 = {instancePath:instancePath+"/source",schemaPath:"#/properties/source/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.token !== undefined){
let data1 = data.token;
if(typeof data1 === "string"){
if(data1.length > 32768){
const err3 = {instancePath:instancePath+"/token",schemaPath:"#/properties/token/maxLength",keyword:"maxLength",params:{limit: 32768}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1.length < 1){
const err4 = {instancePath:instancePath+"/token",schemaPath:"#/properties/token/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/token",schemaPath:"#/properties/token/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.userDataInJWT !== undefined){
let data2 = data.userDataInJWT;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
const err6 = {instancePath:instancePath+"/userDataInJWT",schemaPath:"#/properties/userDataInJWT/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.userDataInDatabase !== undefined){
let data3 = data.userDataInDatabase;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
const err7 = {instancePath:instancePath+"/userDataInDatabase",schemaPath:"#/properties/userDataInDatabase/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.enableAntiCsrf !== undefined){
if(typeof data.enableAntiCsrf !== "boolean"){
const err8 = {instancePath:instancePath+"/enableAntiCsrf",schemaPath:"#/properties/enableAntiCsrf/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.useDynamicSigningKey !== undefined){
if(typeof data.useDynamicSigningKey !== "boolean"){
const err9 = {instancePath:instancePath+"/useDynamicSigningKey",schemaPath:"#/properties/useDynamicSigningKey/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate77.errors = vErrors;
return errors === 0;
}

exports.importSessions = validate78;
const schema79 = {"type":"object","properties":{"source":{"type":"string"},"sessions":{"type":"array","minItems":1,"maxItems":5000,"items":{"type":"object","properties":{"kind":{"type":"string","enum":["session"]},"userId":{"type":"string","minLength":1,"maxLength":128},"tokenSha256":{"type":"string","pattern":"^[0-9a-fA-F]{64}$"},"expiresAt":{"type":"integer","minimum":0,"maximum":253402300799999},"issuedAt":{"type":"integer","minimum":0,"maximum":253402300799999}},"required":["userId","tokenSha256","expiresAt"]}}},"required":["source","sessions"]};
const pattern27 = new RegExp("^[0-9a-fA-F]{64}$", "u");

function validate78(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.source === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "source"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.sessions === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "sessions"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.source !== undefined){
if(typeof data.source !== "string"){
const err2 = {instancePath:instancePath+"/source",schemaPath:"#/properties/source/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.sessions !== undefined){
let data1 = data.sessions;
if(Array.isArray(data1)){
if(data1.length > 5000){
const err3 = {instancePath:instancePath+"/sessions",schemaPath:"#/properties/sessions/maxItems",keyword:"maxItems",params:{limit: 5000}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1.length < 1){
const err4 = {instancePath:instancePath+"/sessions",schemaPath:"#/properties/sessions/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.userId === undefined){
const err5 = {instancePath:instancePath+"/sessions/" + i0,schemaPath:"#/properties/sessions/items/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data2.tokenSha256 === undefined){
const err6 = {instancePath:instancePath+"/sessions/" + i0,schemaPath:"#/properties/sessions/items/required",keyword:"required",params:{missingProperty: "tokenSha256"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data2.expiresAt === undefined){
const err7 = {instancePath:instancePath+"/sessions/" + i0,schemaPath:"#/properties/sessions/items/required",keyword:"required",params:{missingProperty: "expiresAt"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data2.kind !== undefined){
let data3 = data2.kind;
if(typeof data3 !== "string"){
const err8 = {instancePath:instancePath+"/sessions/" + i0+"/kind",schemaPath:"#/properties/sessions/items/properties/kind/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!(data3 === "session")){
const err9 = {instancePath:instancePath+"/sessions/" + i0+"/kind",schemaPath:"#/properties/sessions/items/properties/kind/enum",keyword:"enum",params:{allowedValues: schema79.properties.sessions.items.properties.kind.enum}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data2.userId !== undefined){
let data4 = data2.userId;
if(typeof data4 === "string"){
if(data4.length > 128){
const err10 = {instancePath:instancePath+"/sessions/" + i0+"/userId",schemaPath:"#/properties/sessions/items/properties/userId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data4.length < 1){
const err11 = {instancePath:instancePath+"/sessions/" + i0+"/userId",schemaPath:"#/properties/sessions/items/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/sessions/" + i0+"/userId",schemaPath:"#/properties/sessions/items/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data2.tokenSha256 !== undefined){
let data5 = data2.tokenSha256;
if(typeof data5 === "string"){
if(!pattern27.test(data5)){
const err13 = {instancePath:instancePath+"/sessions/" + i0+"/tokenSha256",schemaPath:"#/properties/sessions/items/properties/tokenSha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-fA-F]{64}$"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/sessions/" + i0+"/tokenSha256",schemaPath:"#/properties/sessions/items/properties/tokenSha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data2.expiresAt !== undefined){
let data6 = data2.expiresAt;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err15 = {instancePath:instancePath+"/sessions/" + i0+"/expiresAt",schemaPath:"#/properties/sessions/items/properties/expiresAt/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 253402300799999 || isNaN(data6)){
const err16 = {instancePath:instancePath+"/sessions/" + i0+"/expiresAt",schemaPath:"#/properties/sessions/items/properties/expiresAt/maximum",keyword:"maximum",params:{comparison: "<=", limit: 253402300799999}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data6 < 0 || isNaN(data6)){
const err17 = {instancePath:instancePath+"/sessions/" + i0+"/expiresAt",schemaPath:"#/properties/sessions/items/properties/expiresAt/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
if(data2.issuedAt !== undefined){
let data7 = data2.issuedAt;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
const err18 = {instancePath:instancePath+"/sessions/" + i0+"/issuedAt",schemaPath:"#/properties/sessions/items/properties/issuedAt/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 253402300799999 || isNaN(data7)){
const err19 = {instancePath:instancePath+"/sessions/" + i0+"/issuedAt",schemaPath:"#/properties/sessions/items/properties/issuedAt/maximum",keyword:"maximum",params:{comparison: "<=", limit: 253402300799999}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data7 < 0 || isNaN(data7)){
const err20 = {instancePath:instancePath+"/sessions/" + i0+"/issuedAt",schemaPath:"#/properties/sessions/items/properties/issuedAt/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
}
else {
const err21 = {instancePath:instancePath+"/sessions/" + i0,schemaPath:"#/properties/sessions/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
else {
const err22 = {instancePath:instancePath+"/sessions",schemaPath:"#/properties/sessions/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
else {
const err23 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
validate78.errors = vErrors;
return errors === 0;
}

exports.putRole = validate79;
const schema80 = {"type":"object","properties":{"role":{"type":"string","minLength":1,"maxLength":255,"x-normalise":"trim","x-messages":{"minLength":"Field name 'role' cannot be an empty String"}},"permissions":{"type":["array","null"],"items":{"type":"string","minLength":1,"maxLength":255,"x-normalise":"trim"},"x-messages":{"minLength":"Field name 'permissions' cannot contain an empty string"}}},"required":["role"]};

function validate79(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.role === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "role"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.role !== undefined){
let data0 = data.role;
if(typeof data0 === "string"){
if(data0.length > 255){
const err1 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/maxLength",keyword:"maxLength",params:{limit: 255}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.permissions !== undefined){
let data1 = data.permissions;
if((!(Array.isArray(data1))) && (data1 !== null)){
const err4 = {instancePath:instancePath+"/permissions",schemaPath:"#/properties/permissions/type",keyword:"type",params:{type: schema80.properties.permissions.type}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(Array.isArray(data1)){
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(typeof data2 === "string"){
if(data2.length > 255){
const err5 = {instancePath:instancePath+"/permissions/" + i0,schemaPath:"#/properties/permissions/items/maxLength",keyword:"maxLength",params:{limit: 255}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data2.length < 1){
const err6 = {instancePath:instancePath+"/permissions/" + i0,schemaPath:"#/properties/permissions/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/permissions/" + i0,schemaPath:"#/properties/permissions/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate79.errors = vErrors;
return errors === 0;
}

exports.removePermissions = validate80;
const schema81 = {"type":"object","properties":{"role":{"type":"string","minLength":1,"maxLength":255,"x-normalise":"trim","x-messages":{"minLength":"Field name 'role' cannot be an empty String"}},"permissions":{"type":["array","null"],"items":{"type":"string","minLength":1,"maxLength":255,"x-normalise":"trim"},"x-messages":{"minLength":"Field name 'permissions' cannot contain an empty string"}}},"required":["role"]};

function validate80(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.role === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "role"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.role !== undefined){
let data0 = data.role;
if(typeof data0 === "string"){
if(data0.length > 255){
const err1 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/maxLength",keyword:"maxLength",params:{limit: 255}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.permissions !== undefined){
let data1 = data.permissions;
if((!(Array.isArray(data1))) && (data1 !== null)){
const err4 = {instancePath:instancePath+"/permissions",schemaPath:"#/properties/permissions/type",keyword:"type",params:{type: schema81.properties.permissions.type}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(Array.isArray(data1)){
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(typeof data2 === "string"){
if(data2.length > 255){
const err5 = {instancePath:instancePath+"/permissions/" + i0,schemaPath:"#/properties/permissions/items/maxLength",keyword:"maxLength",params:{limit: 255}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data2.length < 1){
const err6 = {instancePath:instancePath+"/permissions/" + i0,schemaPath:"#/properties/permissions/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/permissions/" + i0,schemaPath:"#/properties/permissions/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate80.errors = vErrors;
return errors === 0;
}

exports.removeRole = validate81;
const schema82 = {"type":"object","properties":{"role":{"type":"string","minLength":1,"maxLength":255,"x-normalise":"trim","x-messages":{"minLength":"Field name 'role' cannot be an empty String"}}},"required":["role"]};

function validate81(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.role === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "role"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.role !== undefined){
let data0 = data.role;
if(typeof data0 === "string"){
if(data0.length > 255){
const err1 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/maxLength",keyword:"maxLength",params:{limit: 255}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate81.errors = vErrors;
return errors === 0;
}

exports.userRole = validate82;
const schema83 = {"type":"object","properties":{"userId":{"type":"string","maxLength":128},"role":{"type":"string","minLength":1,"maxLength":255,"x-normalise":"trim","x-messages":{"minLength":"Field name 'role' cannot be an empty String"}}},"required":["userId","role"]};

function validate82(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.role === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "role"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 128){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.role !== undefined){
let data1 = data.role;
if(typeof data1 === "string"){
if(data1.length > 255){
const err4 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/maxLength",keyword:"maxLength",params:{limit: 255}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data1.length < 1){
const err5 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate82.errors = vErrors;
return errors === 0;
}

exports.putMetadata = validate83;
const schema84 = {"type":"object","properties":{"userId":{"type":"string","maxLength":128},"metadataUpdate":{"type":"object","description":"Merged into what there is, at the top level; null removes a key."}},"required":["userId","metadataUpdate"]};

function validate83(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.metadataUpdate === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "metadataUpdate"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 128){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.metadataUpdate !== undefined){
let data1 = data.metadataUpdate;
if(!(data1 && typeof data1 == "object" && !Array.isArray(data1))){
const err4 = {instancePath:instancePath+"/metadataUpdate",schemaPath:"#/properties/metadataUpdate/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate83.errors = vErrors;
return errors === 0;
}

exports.removeMetadata = validate84;
const schema85 = {"type":"object","properties":{"userId":{"type":"string","maxLength":128}},"required":["userId"]};

function validate84(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 128){
const err1 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate84.errors = vErrors;
return errors === 0;
}

exports.role = validate85;
const schema86 = {"type":"object","properties":{"role":{"type":"string","minLength":1,"maxLength":255,"x-normalise":"trim","x-messages":{"minLength":"Field name 'role' cannot be an empty String"}}},"required":["role"]};

function validate85(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.role === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "role"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.role !== undefined){
let data0 = data.role;
if(typeof data0 === "string"){
if(data0.length > 255){
const err1 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/maxLength",keyword:"maxLength",params:{limit: 255}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate85.errors = vErrors;
return errors === 0;
}

exports.permission = validate86;
const schema87 = {"type":"object","properties":{"permission":{"type":"string","minLength":1,"maxLength":255,"x-normalise":"trim","x-messages":{"minLength":"Field name 'permission' cannot be an empty String"}}},"required":["permission"]};

function validate86(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.permission === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "permission"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.permission !== undefined){
let data0 = data.permission;
if(typeof data0 === "string"){
if(data0.length > 255){
const err1 = {instancePath:instancePath+"/permission",schemaPath:"#/properties/permission/maxLength",keyword:"maxLength",params:{limit: 255}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/permission",schemaPath:"#/properties/permission/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/permission",schemaPath:"#/properties/permission/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate86.errors = vErrors;
return errors === 0;
}

exports.userRoles = validate87;
const schema88 = {"type":"object","properties":{"userId":{"type":"string"}},"required":["userId"]};

function validate87(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userId !== undefined){
if(typeof data.userId !== "string"){
const err1 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate87.errors = vErrors;
return errors === 0;
}

exports.metadata = validate88;
const schema89 = {"type":"object","properties":{"userId":{"type":"string"}},"required":["userId"]};

function validate88(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userId !== undefined){
if(typeof data.userId !== "string"){
const err1 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate88.errors = vErrors;
return errors === 0;
}

exports.createTotpDevice = validate89;
const schema90 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":128,"x-messages":{"minLength":"userId cannot be empty"}},"deviceName":{"type":["string","null"],"minLength":1,"maxLength":256,"x-messages":{"minLength":"deviceName cannot be empty"}},"skew":{"type":"integer","minimum":0,"maximum":10,"x-why":{"maximum":"must be at most 10 periods"},"x-messages":{"minimum":"skew must be >= 0"}},"period":{"type":"integer","minimum":1,"maximum":86400,"x-messages":{"minimum":"period must be > 0"}}},"required":["userId","skew","period"]};

function validate89(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.skew === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "skew"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.period === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "period"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 128){
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data0.length < 1){
const err4 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.deviceName !== undefined){
let data1 = data.deviceName;
if((typeof data1 !== "string") && (data1 !== null)){
const err6 = {instancePath:instancePath+"/deviceName",schemaPath:"#/properties/deviceName/type",keyword:"type",params:{type: schema90.properties.deviceName.type}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(typeof data1 === "string"){
if(data1.length > 256){
const err7 = {instancePath:instancePath+"/deviceName",schemaPath:"#/properties/deviceName/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data1.length < 1){
const err8 = {instancePath:instancePath+"/deviceName",schemaPath:"#/properties/deviceName/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
if(data.skew !== undefined){
let data2 = data.skew;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err9 = {instancePath:instancePath+"/skew",schemaPath:"#/properties/skew/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 10 || isNaN(data2)){
const err10 = {instancePath:instancePath+"/skew",schemaPath:"#/properties/skew/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data2 < 0 || isNaN(data2)){
const err11 = {instancePath:instancePath+"/skew",schemaPath:"#/properties/skew/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
if(data.period !== undefined){
let data3 = data.period;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err12 = {instancePath:instancePath+"/period",schemaPath:"#/properties/period/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 86400 || isNaN(data3)){
const err13 = {instancePath:instancePath+"/period",schemaPath:"#/properties/period/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data3 < 1 || isNaN(data3)){
const err14 = {instancePath:instancePath+"/period",schemaPath:"#/properties/period/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
}
else {
const err15 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
validate89.errors = vErrors;
return errors === 0;
}

exports.importTotpDevice = validate90;
const schema91 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":128,"x-messages":{"minLength":"userId cannot be empty"}},"deviceName":{"type":["string","null"],"minLength":1,"maxLength":256,"x-messages":{"minLength":"deviceName cannot be empty"}},"skew":{"type":"integer","minimum":0,"maximum":10,"x-why":{"maximum":"must be at most 10 periods"},"x-messages":{"minimum":"skew must be >= 0"}},"period":{"type":"integer","minimum":1,"maximum":86400,"x-messages":{"minimum":"period must be > 0"}},"secretKey":{"type":"string","description":"Base32, as authenticator apps take it.","minLength":1,"maxLength":256,"x-normalise":"trim","x-messages":{"minLength":"secretKey cannot be empty"}},"algorithm":{"type":"string","enum":["SHA1","SHA256","SHA512"]},"digits":{"type":"integer","minimum":6,"maximum":8}},"required":["userId","skew","period","secretKey"]};

function validate90(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.skew === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "skew"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.period === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "period"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.secretKey === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "secretKey"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 128){
const err4 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data0.length < 1){
const err5 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.deviceName !== undefined){
let data1 = data.deviceName;
if((typeof data1 !== "string") && (data1 !== null)){
const err7 = {instancePath:instancePath+"/deviceName",schemaPath:"#/properties/deviceName/type",keyword:"type",params:{type: schema91.properties.deviceName.type}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(typeof data1 === "string"){
if(data1.length > 256){
const err8 = {instancePath:instancePath+"/deviceName",schemaPath:"#/properties/deviceName/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data1.length < 1){
const err9 = {instancePath:instancePath+"/deviceName",schemaPath:"#/properties/deviceName/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
if(data.skew !== undefined){
let data2 = data.skew;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err10 = {instancePath:instancePath+"/skew",schemaPath:"#/properties/skew/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 10 || isNaN(data2)){
const err11 = {instancePath:instancePath+"/skew",schemaPath:"#/properties/skew/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data2 < 0 || isNaN(data2)){
const err12 = {instancePath:instancePath+"/skew",schemaPath:"#/properties/skew/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
if(data.period !== undefined){
let data3 = data.period;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err13 = {instancePath:instancePath+"/period",schemaPath:"#/properties/period/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 86400 || isNaN(data3)){
const err14 = {instancePath:instancePath+"/period",schemaPath:"#/properties/period/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data3 < 1 || isNaN(data3)){
const err15 = {instancePath:instancePath+"/period",schemaPath:"#/properties/period/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
if(data.secretKey !== undefined){
let data4 = data.secretKey;
if(typeof data4 === "string"){
if(data4.length > 256){
const err16 = {instancePath:instancePath+"/secretKey",schemaPath:"#/properties/secretKey/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data4.length < 1){
const err17 = {instancePath:instancePath+"/secretKey",schemaPath:"#/properties/secretKey/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/secretKey",schemaPath:"#/properties/secretKey/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.algorithm !== undefined){
let data5 = data.algorithm;
if(typeof data5 !== "string"){
const err19 = {instancePath:instancePath+"/algorithm",schemaPath:"#/properties/algorithm/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(!(((data5 === "SHA1") || (data5 === "SHA256")) || (data5 === "SHA512"))){
const err20 = {instancePath:instancePath+"/algorithm",schemaPath:"#/properties/algorithm/enum",keyword:"enum",params:{allowedValues: schema91.properties.algorithm.enum}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.digits !== undefined){
let data6 = data.digits;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err21 = {instancePath:instancePath+"/digits",schemaPath:"#/properties/digits/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 8 || isNaN(data6)){
const err22 = {instancePath:instancePath+"/digits",schemaPath:"#/properties/digits/maximum",keyword:"maximum",params:{comparison: "<=", limit: 8}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(data6 < 6 || isNaN(data6)){
const err23 = {instancePath:instancePath+"/digits",schemaPath:"#/properties/digits/minimum",keyword:"minimum",params:{comparison: ">=", limit: 6}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
}
}
else {
const err24 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
validate90.errors = vErrors;
return errors === 0;
}

exports.renameTotpDevice = validate91;
const schema92 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":128,"x-messages":{"minLength":"userId cannot be empty"}},"existingDeviceName":{"type":"string","minLength":1,"maxLength":256,"x-messages":{"minLength":"existingDeviceName cannot be empty"}},"newDeviceName":{"type":"string","minLength":1,"maxLength":256,"x-messages":{"minLength":"newDeviceName cannot be empty"}}},"required":["userId","existingDeviceName","newDeviceName"]};

function validate91(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.existingDeviceName === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "existingDeviceName"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.newDeviceName === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "newDeviceName"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 128){
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data0.length < 1){
const err4 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.existingDeviceName !== undefined){
let data1 = data.existingDeviceName;
if(typeof data1 === "string"){
if(data1.length > 256){
const err6 = {instancePath:instancePath+"/existingDeviceName",schemaPath:"#/properties/existingDeviceName/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data1.length < 1){
const err7 = {instancePath:instancePath+"/existingDeviceName",schemaPath:"#/properties/existingDeviceName/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/existingDeviceName",schemaPath:"#/properties/existingDeviceName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.newDeviceName !== undefined){
let data2 = data.newDeviceName;
if(typeof data2 === "string"){
if(data2.length > 256){
const err9 = {instancePath:instancePath+"/newDeviceName",schemaPath:"#/properties/newDeviceName/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data2.length < 1){
const err10 = {instancePath:instancePath+"/newDeviceName",schemaPath:"#/properties/newDeviceName/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/newDeviceName",schemaPath:"#/properties/newDeviceName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate91.errors = vErrors;
return errors === 0;
}

exports.removeTotpDevice = validate92;
const schema93 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":128,"x-messages":{"minLength":"userId cannot be empty"}},"deviceName":{"type":"string","minLength":1,"maxLength":256,"x-messages":{"minLength":"deviceName cannot be empty"}}},"required":["userId","deviceName"]};

function validate92(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.deviceName === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "deviceName"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 128){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.deviceName !== undefined){
let data1 = data.deviceName;
if(typeof data1 === "string"){
if(data1.length > 256){
const err5 = {instancePath:instancePath+"/deviceName",schemaPath:"#/properties/deviceName/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/deviceName",schemaPath:"#/properties/deviceName/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/deviceName",schemaPath:"#/properties/deviceName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate92.errors = vErrors;
return errors === 0;
}

exports.verifyTotpDevice = validate93;
const schema94 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":128,"x-messages":{"minLength":"userId cannot be empty"}},"deviceName":{"type":"string","minLength":1,"maxLength":256,"x-messages":{"minLength":"deviceName cannot be empty"}},"totp":{"type":"string"}},"required":["userId","deviceName","totp"]};

function validate93(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.deviceName === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "deviceName"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.totp === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "totp"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 128){
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data0.length < 1){
const err4 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.deviceName !== undefined){
let data1 = data.deviceName;
if(typeof data1 === "string"){
if(data1.length > 256){
const err6 = {instancePath:instancePath+"/deviceName",schemaPath:"#/properties/deviceName/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data1.length < 1){
const err7 = {instancePath:instancePath+"/deviceName",schemaPath:"#/properties/deviceName/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/deviceName",schemaPath:"#/properties/deviceName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.totp !== undefined){
if(typeof data.totp !== "string"){
const err9 = {instancePath:instancePath+"/totp",schemaPath:"#/properties/totp/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate93.errors = vErrors;
return errors === 0;
}

exports.verifyTotp = validate94;
const schema95 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":128,"x-messages":{"minLength":"userId cannot be empty"}},"totp":{"type":"string"}},"required":["userId","totp"]};

function validate94(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.totp === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "totp"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 128){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.totp !== undefined){
if(typeof data.totp !== "string"){
const err5 = {instancePath:instancePath+"/totp",schemaPath:"#/properties/totp/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate94.errors = vErrors;
return errors === 0;
}

exports.listDevices = validate95;
const schema96 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"x-messages":{"minLength":"userId cannot be empty"}}},"required":["userId"]};

function validate95(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length < 1){
const err1 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate95.errors = vErrors;
return errors === 0;
}

exports.createCode = validate96;
const schema97 = {"type":"object","properties":{"email":{"type":["string","null"],"description":"Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.","minLength":1,"maxLength":256,"pattern":"^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$","x-normalise":"email","x-why":{"pattern":"must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs"}},"phoneNumber":{"type":["string","null"],"description":"Stored in E.164 where it is a number with its country code, else as it is, trimmed.","minLength":1,"maxLength":256,"pattern":"[\\p{L}\\p{N}]","x-normalise":"trim","x-why":{"pattern":"must have digits"}},"deviceId":{"type":["string","null"]},"userInputCode":{"type":["string","null"],"minLength":1,"x-messages":{"minLength":"userInputCode cannot be an empty string."}}},"required":[]};
const pattern29 = new RegExp("[\\p{L}\\p{N}]", "u");

function validate96(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email !== undefined){
let data0 = data.email;
if((typeof data0 !== "string") && (data0 !== null)){
const err0 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: schema97.properties.email.type}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(typeof data0 === "string"){
if(data0.length > 256){
const err1 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!pattern0.test(data0)){
const err3 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
if(data.phoneNumber !== undefined){
let data1 = data.phoneNumber;
if((typeof data1 !== "string") && (data1 !== null)){
const err4 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/type",keyword:"type",params:{type: schema97.properties.phoneNumber.type}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(typeof data1 === "string"){
if(data1.length > 256){
const err5 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!pattern29.test(data1)){
const err7 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/pattern",keyword:"pattern",params:{pattern: "[\\p{L}\\p{N}]"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
if(data.deviceId !== undefined){
let data2 = data.deviceId;
if((typeof data2 !== "string") && (data2 !== null)){
const err8 = {instancePath:instancePath+"/deviceId",schemaPath:"#/properties/deviceId/type",keyword:"type",params:{type: schema97.properties.deviceId.type}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.userInputCode !== undefined){
let data3 = data.userInputCode;
if((typeof data3 !== "string") && (data3 !== null)){
const err9 = {instancePath:instancePath+"/userInputCode",schemaPath:"#/properties/userInputCode/type",keyword:"type",params:{type: schema97.properties.userInputCode.type}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(typeof data3 === "string"){
if(data3.length < 1){
const err10 = {instancePath:instancePath+"/userInputCode",schemaPath:"#/properties/userInputCode/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate96.errors = vErrors;
return errors === 0;
}

exports.useCode = validate97;
const schema98 = {"type":"object","properties":{"preAuthSessionId":{"type":"string"},"linkCode":{"type":["string","null"]},"deviceId":{"type":["string","null"]},"userInputCode":{"type":["string","null"]}},"required":["preAuthSessionId"]};

function validate97(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.preAuthSessionId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "preAuthSessionId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.preAuthSessionId !== undefined){
if(typeof data.preAuthSessionId !== "string"){
const err1 = {instancePath:instancePath+"/preAuthSessionId",schemaPath:"#/properties/preAuthSessionId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.linkCode !== undefined){
let data1 = data.linkCode;
if((typeof data1 !== "string") && (data1 !== null)){
const err2 = {instancePath:instancePath+"/linkCode",schemaPath:"#/properties/linkCode/type",keyword:"type",params:{type: schema98.properties.linkCode.type}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.deviceId !== undefined){
let data2 = data.deviceId;
if((typeof data2 !== "string") && (data2 !== null)){
const err3 = {instancePath:instancePath+"/deviceId",schemaPath:"#/properties/deviceId/type",keyword:"type",params:{type: schema98.properties.deviceId.type}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.userInputCode !== undefined){
let data3 = data.userInputCode;
if((typeof data3 !== "string") && (data3 !== null)){
const err4 = {instancePath:instancePath+"/userInputCode",schemaPath:"#/properties/userInputCode/type",keyword:"type",params:{type: schema98.properties.userInputCode.type}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate97.errors = vErrors;
return errors === 0;
}

exports.removeCode = validate98;
const schema99 = {"type":"object","properties":{"codeId":{"type":["string","null"]},"preAuthSessionId":{"type":["string","null"]}},"required":[]};

function validate98(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.codeId !== undefined){
let data0 = data.codeId;
if((typeof data0 !== "string") && (data0 !== null)){
const err0 = {instancePath:instancePath+"/codeId",schemaPath:"#/properties/codeId/type",keyword:"type",params:{type: schema99.properties.codeId.type}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.preAuthSessionId !== undefined){
let data1 = data.preAuthSessionId;
if((typeof data1 !== "string") && (data1 !== null)){
const err1 = {instancePath:instancePath+"/preAuthSessionId",schemaPath:"#/properties/preAuthSessionId/type",keyword:"type",params:{type: schema99.properties.preAuthSessionId.type}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate98.errors = vErrors;
return errors === 0;
}

exports.removeCodes = validate99;
const schema100 = {"type":"object","properties":{"email":{"type":["string","null"],"x-normalise":"email"},"phoneNumber":{"type":["string","null"],"description":"In any spelling.","minLength":1,"maxLength":256,"pattern":"[\\p{L}\\p{N}]","x-normalise":"trim","x-why":{"pattern":"must have digits"}}},"required":[]};

function validate99(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email !== undefined){
let data0 = data.email;
if((typeof data0 !== "string") && (data0 !== null)){
const err0 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: schema100.properties.email.type}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.phoneNumber !== undefined){
let data1 = data.phoneNumber;
if((typeof data1 !== "string") && (data1 !== null)){
const err1 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/type",keyword:"type",params:{type: schema100.properties.phoneNumber.type}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(typeof data1 === "string"){
if(data1.length > 256){
const err2 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data1.length < 1){
const err3 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!pattern29.test(data1)){
const err4 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/pattern",keyword:"pattern",params:{pattern: "[\\p{L}\\p{N}]"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate99.errors = vErrors;
return errors === 0;
}

exports.updatePasswordless = validate100;
const schema101 = {"type":"object","properties":{"recipeUserId":{"type":"string","minLength":1,"maxLength":256},"email":{"type":["string","null"],"description":"Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.","minLength":1,"maxLength":256,"pattern":"^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$","x-normalise":"email","x-why":{"pattern":"must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs"}},"phoneNumber":{"type":["string","null"],"description":"Stored in E.164 where it is a number with its country code, else as it is, trimmed.","minLength":1,"maxLength":256,"pattern":"[\\p{L}\\p{N}]","x-normalise":"trim","x-why":{"pattern":"must have digits"}}},"required":["recipeUserId"]};

function validate100(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.recipeUserId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "recipeUserId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.recipeUserId !== undefined){
let data0 = data.recipeUserId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err1 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/recipeUserId",schemaPath:"#/properties/recipeUserId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.email !== undefined){
let data1 = data.email;
if((typeof data1 !== "string") && (data1 !== null)){
const err4 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: schema101.properties.email.type}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(typeof data1 === "string"){
if(data1.length > 256){
const err5 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!pattern0.test(data1)){
const err7 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]+|([^@\\s\\u0000-\\u001f\\u007f-\\u009f\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u212a\\u212b\\u2126]|@)+@stfakeemail\\.supertokens\\.com)$"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
if(data.phoneNumber !== undefined){
let data2 = data.phoneNumber;
if((typeof data2 !== "string") && (data2 !== null)){
const err8 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/type",keyword:"type",params:{type: schema101.properties.phoneNumber.type}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(typeof data2 === "string"){
if(data2.length > 256){
const err9 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data2.length < 1){
const err10 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!pattern29.test(data2)){
const err11 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/pattern",keyword:"pattern",params:{pattern: "[\\p{L}\\p{N}]"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate100.errors = vErrors;
return errors === 0;
}

exports.listCodes = validate101;
const schema102 = {"type":"object","properties":{"email":{"type":"string","x-normalise":"email"},"phoneNumber":{"type":"string","description":"In any spelling.","minLength":1,"maxLength":256,"pattern":"[\\p{L}\\p{N}]","x-normalise":"trim","x-why":{"pattern":"must have digits"}},"deviceId":{"type":"string"},"preAuthSessionId":{"type":"string"}},"required":[]};

function validate101(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email !== undefined){
if(typeof data.email !== "string"){
const err0 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.phoneNumber !== undefined){
let data1 = data.phoneNumber;
if(typeof data1 === "string"){
if(data1.length > 256){
const err1 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data1.length < 1){
const err2 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!pattern29.test(data1)){
const err3 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/pattern",keyword:"pattern",params:{pattern: "[\\p{L}\\p{N}]"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/phoneNumber",schemaPath:"#/properties/phoneNumber/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.deviceId !== undefined){
if(typeof data.deviceId !== "string"){
const err5 = {instancePath:instancePath+"/deviceId",schemaPath:"#/properties/deviceId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.preAuthSessionId !== undefined){
if(typeof data.preAuthSessionId !== "string"){
const err6 = {instancePath:instancePath+"/preAuthSessionId",schemaPath:"#/properties/preAuthSessionId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate101.errors = vErrors;
return errors === 0;
}

exports.dashboardSignIn = validate102;
const schema103 = {"type":"object","properties":{"email":{"type":"string","x-normalise":"email"},"password":{"type":"string","x-maxBytes":4096}},"required":["email","password"]};

function validate102(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.password === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "password"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.email !== undefined){
if(typeof data.email !== "string"){
const err2 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.password !== undefined){
let data1 = data.password;
if(typeof data1 === "string"){
if(Buffer.byteLength(data1) > 4096){
const err3 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/x-maxBytes",keyword:"x-maxBytes",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate102.errors = vErrors;
return errors === 0;
}

exports.addDashboardUser = validate103;
const schema104 = {"type":"object","properties":{"email":{"type":"string","x-normalise":"email"},"password":{"type":"string","x-maxBytes":4096}},"required":["email","password"]};

function validate103(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.password === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "password"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.email !== undefined){
if(typeof data.email !== "string"){
const err2 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.password !== undefined){
let data1 = data.password;
if(typeof data1 === "string"){
if(Buffer.byteLength(data1) > 4096){
const err3 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/x-maxBytes",keyword:"x-maxBytes",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate103.errors = vErrors;
return errors === 0;
}

exports.changeDashboardUser = validate104;
const schema105 = {"type":"object","description":"Of the user with this id or, where it is left out, with this email. All of the user's sessions end.","properties":{"newEmail":{"type":["string","null"],"x-normalise":"email"},"newPassword":{"type":["string","null"],"x-maxBytes":4096},"userId":{"type":["string","null"]},"email":{"type":["string","null"],"x-normalise":"email"}},"required":[]};

function validate104(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.newEmail !== undefined){
let data0 = data.newEmail;
if((typeof data0 !== "string") && (data0 !== null)){
const err0 = {instancePath:instancePath+"/newEmail",schemaPath:"#/properties/newEmail/type",keyword:"type",params:{type: schema105.properties.newEmail.type}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.newPassword !== undefined){
let data1 = data.newPassword;
if((typeof data1 !== "string") && (data1 !== null)){
const err1 = {instancePath:instancePath+"/newPassword",schemaPath:"#/properties/newPassword/type",keyword:"type",params:{type: schema105.properties.newPassword.type}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(typeof data1 === "string"){
if(Buffer.byteLength(data1) > 4096){
const err2 = {instancePath:instancePath+"/newPassword",schemaPath:"#/properties/newPassword/x-maxBytes",keyword:"x-maxBytes",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
if(data.userId !== undefined){
let data2 = data.userId;
if((typeof data2 !== "string") && (data2 !== null)){
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: schema105.properties.userId.type}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.email !== undefined){
let data3 = data.email;
if((typeof data3 !== "string") && (data3 !== null)){
const err4 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: schema105.properties.email.type}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate104.errors = vErrors;
return errors === 0;
}

exports.verifyDashboardSession = validate105;
const schema106 = {"type":"object","properties":{"sessionId":{"type":"string"}},"required":["sessionId"]};

function validate105(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.sessionId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "sessionId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.sessionId !== undefined){
if(typeof data.sessionId !== "string"){
const err1 = {instancePath:instancePath+"/sessionId",schemaPath:"#/properties/sessionId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate105.errors = vErrors;
return errors === 0;
}

exports.dashboardUser = validate106;
const schema107 = {"type":"object","properties":{"userId":{"type":"string"},"email":{"type":"string","x-normalise":"email"}},"required":[]};

function validate106(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId !== undefined){
if(typeof data.userId !== "string"){
const err0 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.email !== undefined){
if(typeof data.email !== "string"){
const err1 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate106.errors = vErrors;
return errors === 0;
}

exports.dashboardSession = validate107;
const schema108 = {"type":"object","properties":{"sessionId":{"type":"string"}},"required":["sessionId"]};

function validate107(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.sessionId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "sessionId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.sessionId !== undefined){
if(typeof data.sessionId !== "string"){
const err1 = {instancePath:instancePath+"/sessionId",schemaPath:"#/properties/sessionId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate107.errors = vErrors;
return errors === 0;
}

exports.dashboardSessions = validate108;
const schema109 = {"type":"object","properties":{"userId":{"type":"string"}},"required":["userId"]};

function validate108(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userId !== undefined){
if(typeof data.userId !== "string"){
const err1 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate108.errors = vErrors;
return errors === 0;
}

exports.kratosHook = validate109;
const schema110 = {"type":"object","properties":{"identifier":{"type":"string","x-normalise":"email","maxLength":1024},"password":{"type":"string","description":"At most 4096 bytes of UTF-8; neither trimmed nor normalised.","minLength":1,"x-maxBytes":4096,"x-messages":{"minLength":"Password cannot be an empty string"}}},"required":["identifier","password"]};

function validate109(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.identifier === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "identifier"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.password === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "password"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.identifier !== undefined){
let data0 = data.identifier;
if(typeof data0 === "string"){
if(data0.length > 1024){
const err2 = {instancePath:instancePath+"/identifier",schemaPath:"#/properties/identifier/maxLength",keyword:"maxLength",params:{limit: 1024}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/identifier",schemaPath:"#/properties/identifier/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.password !== undefined){
let data1 = data.password;
if(typeof data1 === "string"){
if(data1.length < 1){
const err4 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(Buffer.byteLength(data1) > 4096){
const err5 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/x-maxBytes",keyword:"x-maxBytes",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate109.errors = vErrors;
return errors === 0;
}

exports.oktaHook = validate110;
const schema111 = {"type":"object","properties":{"data":{"type":"object","properties":{"context":{"type":"object","properties":{"credential":{"type":"object","properties":{"username":{"type":"string","x-normalise":"email","maxLength":1024},"password":{"type":"string","description":"At most 4096 bytes of UTF-8; neither trimmed nor normalised.","minLength":1,"x-maxBytes":4096,"x-messages":{"minLength":"Password cannot be an empty string"}}},"required":["username","password"]}},"required":["credential"]}},"required":["context"]}},"required":["data"]};

function validate110(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.data === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "data"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.data !== undefined){
let data0 = data.data;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.context === undefined){
const err1 = {instancePath:instancePath+"/data",schemaPath:"#/properties/data/required",keyword:"required",params:{missingProperty: "context"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.context !== undefined){
let data1 = data0.context;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.credential === undefined){
const err2 = {instancePath:instancePath+"/data/context",schemaPath:"#/properties/data/properties/context/required",keyword:"required",params:{missingProperty: "credential"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data1.credential !== undefined){
let data2 = data1.credential;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.username === undefined){
const err3 = {instancePath:instancePath+"/data/context/credential",schemaPath:"#/properties/data/properties/context/properties/credential/required",keyword:"required",params:{missingProperty: "username"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data2.password === undefined){
const err4 = {instancePath:instancePath+"/data/context/credential",schemaPath:"#/properties/data/properties/context/properties/credential/required",keyword:"required",params:{missingProperty: "password"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data2.username !== undefined){
let data3 = data2.username;
if(typeof data3 === "string"){
if(data3.length > 1024){
const err5 = {instancePath:instancePath+"/data/context/credential/username",schemaPath:"#/properties/data/properties/context/properties/credential/properties/username/maxLength",keyword:"maxLength",params:{limit: 1024}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/data/context/credential/username",schemaPath:"#/properties/data/properties/context/properties/credential/properties/username/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data2.password !== undefined){
let data4 = data2.password;
if(typeof data4 === "string"){
if(data4.length < 1){
const err7 = {instancePath:instancePath+"/data/context/credential/password",schemaPath:"#/properties/data/properties/context/properties/credential/properties/password/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(Buffer.byteLength(data4) > 4096){
const err8 = {instancePath:instancePath+"/data/context/credential/password",schemaPath:"#/properties/data/properties/context/properties/credential/properties/password/x-maxBytes",keyword:"x-maxBytes",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/data/context/credential/password",schemaPath:"#/properties/data/properties/context/properties/credential/properties/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath:instancePath+"/data/context/credential",schemaPath:"#/properties/data/properties/context/properties/credential/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath:instancePath+"/data/context",schemaPath:"#/properties/data/properties/context/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate110.errors = vErrors;
return errors === 0;
}

exports.keycloakHook = validate111;
const schema112 = {"type":"object","properties":{"password":{"type":"string","description":"At most 4096 bytes of UTF-8; neither trimmed nor normalised.","minLength":1,"x-maxBytes":4096,"x-messages":{"minLength":"Password cannot be an empty string"}}},"required":["password"]};

function validate111(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.password === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "password"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.password !== undefined){
let data0 = data.password;
if(typeof data0 === "string"){
if(data0.length < 1){
const err1 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(Buffer.byteLength(data0) > 4096){
const err2 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/x-maxBytes",keyword:"x-maxBytes",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate111.errors = vErrors;
return errors === 0;
}

exports.fusionAuthHook = validate112;
const schema113 = {"type":"object","properties":{"loginId":{"type":"string","x-normalise":"email","maxLength":1024},"password":{"type":"string","description":"At most 4096 bytes of UTF-8; neither trimmed nor normalised.","minLength":1,"x-maxBytes":4096,"x-messages":{"minLength":"Password cannot be an empty string"}}},"required":["loginId","password"]};

function validate112(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.loginId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "loginId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.password === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "password"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.loginId !== undefined){
let data0 = data.loginId;
if(typeof data0 === "string"){
if(data0.length > 1024){
const err2 = {instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/maxLength",keyword:"maxLength",params:{limit: 1024}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.password !== undefined){
let data1 = data.password;
if(typeof data1 === "string"){
if(data1.length < 1){
const err4 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(Buffer.byteLength(data1) > 4096){
const err5 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/x-maxBytes",keyword:"x-maxBytes",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate112.errors = vErrors;
return errors === 0;
}

exports.httpHook = validate113;
const schema114 = {"type":"object","properties":{"email":{"type":"string","x-normalise":"email","maxLength":1024},"password":{"type":"string","description":"At most 4096 bytes of UTF-8; neither trimmed nor normalised.","minLength":1,"x-maxBytes":4096,"x-messages":{"minLength":"Password cannot be an empty string"}}},"required":["email","password"]};

function validate113(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.password === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "password"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.email !== undefined){
let data0 = data.email;
if(typeof data0 === "string"){
if(data0.length > 1024){
const err2 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 1024}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.password !== undefined){
let data1 = data.password;
if(typeof data1 === "string"){
if(data1.length < 1){
const err4 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(Buffer.byteLength(data1) > 4096){
const err5 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/x-maxBytes",keyword:"x-maxBytes",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate113.errors = vErrors;
return errors === 0;
}

exports.makeReceipt = validate114;
const schema115 = {"type":"object","properties":{"files":{"type":"array","description":"The files that were imported, as the sender states them.","maxItems":1000,"items":{"type":"object","properties":{"name":{"type":"string","minLength":1,"maxLength":255},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$","x-why":{"pattern":"must be 64 hexadecimal digits in lower case"}}},"required":["name","sha256"]}}},"required":[]};
const pattern34 = new RegExp("^[0-9a-f]{64}$", "u");

function validate114(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.files !== undefined){
let data0 = data.files;
if(Array.isArray(data0)){
if(data0.length > 1000){
const err0 = {instancePath:instancePath+"/files",schemaPath:"#/properties/files/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.name === undefined){
const err1 = {instancePath:instancePath+"/files/" + i0,schemaPath:"#/properties/files/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data1.sha256 === undefined){
const err2 = {instancePath:instancePath+"/files/" + i0,schemaPath:"#/properties/files/items/required",keyword:"required",params:{missingProperty: "sha256"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data1.name !== undefined){
let data2 = data1.name;
if(typeof data2 === "string"){
if(data2.length > 255){
const err3 = {instancePath:instancePath+"/files/" + i0+"/name",schemaPath:"#/properties/files/items/properties/name/maxLength",keyword:"maxLength",params:{limit: 255}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data2.length < 1){
const err4 = {instancePath:instancePath+"/files/" + i0+"/name",schemaPath:"#/properties/files/items/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/files/" + i0+"/name",schemaPath:"#/properties/files/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data1.sha256 !== undefined){
let data3 = data1.sha256;
if(typeof data3 === "string"){
if(!pattern34.test(data3)){
const err6 = {instancePath:instancePath+"/files/" + i0+"/sha256",schemaPath:"#/properties/files/items/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/files/" + i0+"/sha256",schemaPath:"#/properties/files/items/properties/sha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/files/" + i0,schemaPath:"#/properties/files/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath:instancePath+"/files",schemaPath:"#/properties/files/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate114.errors = vErrors;
return errors === 0;
}

exports.proveLine = validate115;
const schema116 = {"type":"object","properties":{"line":{"type":"integer","minimum":1,"description":"The number of the line in the upload, from 1."}},"required":["line"]};

function validate115(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.line === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "line"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.line !== undefined){
let data0 = data.line;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err1 = {instancePath:instancePath+"/line",schemaPath:"#/properties/line/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 1 || isNaN(data0)){
const err2 = {instancePath:instancePath+"/line",schemaPath:"#/properties/line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate115.errors = vErrors;
return errors === 0;
}

exports.startMove = validate116;
const schema117 = {"type":"object","properties":{"system":{"type":"string","description":"The provider that reads the old system, such as laravel.","pattern":"^[a-z0-9-]{1,64}$","x-why":{"pattern":"must be the name of a provider"}},"address":{"type":"string","description":"Of its database, without user, password and options. Left out: it is read from files.","maxLength":255,"pattern":"^[a-z]+://[^@?#\\s]+$","x-why":{"pattern":"must be a URL without user, password and options"}},"source":{"type":"string","description":"The label of its imports. Default: no label.","maxLength":64}},"required":["system"]};
const pattern36 = new RegExp("^[a-z]+://[^@?#\\s]+$", "u");

function validate116(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.system === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "system"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.system !== undefined){
let data0 = data.system;
if(typeof data0 === "string"){
if(!pattern12.test(data0)){
const err1 = {instancePath:instancePath+"/system",schemaPath:"#/properties/system/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9-]{1,64}$"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath:instancePath+"/system",schemaPath:"#/properties/system/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.address !== undefined){
let data1 = data.address;
if(typeof data1 === "string"){
if(data1.length > 255){
const err3 = {instancePath:instancePath+"/address",schemaPath:"#/properties/address/maxLength",keyword:"maxLength",params:{limit: 255}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!pattern36.test(data1)){
const err4 = {instancePath:instancePath+"/address",schemaPath:"#/properties/address/pattern",keyword:"pattern",params:{pattern: "^[a-z]+://[^@?#\\s]+$"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/address",schemaPath:"#/properties/address/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.source !== undefined){
let data2 = data.source;
if(typeof data2 === "string"){
if(data2.length > 64){
const err6 = {instancePath:instancePath+"/source",schemaPath:"#/properties/source/maxLength",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/source",schemaPath:"#/properties/source/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate116.errors = vErrors;
return errors === 0;
}

exports.stepForwards = validate117;
const schema118 = {"type":"object","properties":{"dryRun":{"type":"boolean","description":"Says what the step would do, and what is against it."},"revision":{"type":"integer","minimum":0,"maximum":9007199254740991,"description":"Of the status that the step was decided by: after another step it is refused."},"share":{"type":"integer","description":"Percentage of the users who sign in here.","minimum":1,"maximum":100},"refusedBefore":{"type":"number","description":"Percentage of users who give two wrong passwords in a row before a right one. Left out: by the sign-ins that were reported.","minimum":0,"maximum":50}},"required":[]};

function validate117(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.dryRun !== undefined){
if(typeof data.dryRun !== "boolean"){
const err0 = {instancePath:instancePath+"/dryRun",schemaPath:"#/properties/dryRun/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.revision !== undefined){
let data1 = data.revision;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err1 = {instancePath:instancePath+"/revision",schemaPath:"#/properties/revision/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 9007199254740991 || isNaN(data1)){
const err2 = {instancePath:instancePath+"/revision",schemaPath:"#/properties/revision/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data1 < 0 || isNaN(data1)){
const err3 = {instancePath:instancePath+"/revision",schemaPath:"#/properties/revision/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
if(data.share !== undefined){
let data2 = data.share;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err4 = {instancePath:instancePath+"/share",schemaPath:"#/properties/share/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 100 || isNaN(data2)){
const err5 = {instancePath:instancePath+"/share",schemaPath:"#/properties/share/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data2 < 1 || isNaN(data2)){
const err6 = {instancePath:instancePath+"/share",schemaPath:"#/properties/share/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
if(data.refusedBefore !== undefined){
let data3 = data.refusedBefore;
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 50 || isNaN(data3)){
const err7 = {instancePath:instancePath+"/refusedBefore",schemaPath:"#/properties/refusedBefore/maximum",keyword:"maximum",params:{comparison: "<=", limit: 50}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data3 < 0 || isNaN(data3)){
const err8 = {instancePath:instancePath+"/refusedBefore",schemaPath:"#/properties/refusedBefore/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/refusedBefore",schemaPath:"#/properties/refusedBefore/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate117.errors = vErrors;
return errors === 0;
}

exports.stepBack = validate118;
const schema119 = {"type":"object","properties":{"dryRun":{"type":"boolean","description":"Says what the step would do, and what is against it."},"revision":{"type":"integer","minimum":0,"maximum":9007199254740991,"description":"Of the status that the step was decided by: after another step it is refused."},"share":{"type":"integer","description":"Percentage of the users who sign in here.","minimum":1,"maximum":100}},"required":[]};

function validate118(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.dryRun !== undefined){
if(typeof data.dryRun !== "boolean"){
const err0 = {instancePath:instancePath+"/dryRun",schemaPath:"#/properties/dryRun/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.revision !== undefined){
let data1 = data.revision;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err1 = {instancePath:instancePath+"/revision",schemaPath:"#/properties/revision/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 9007199254740991 || isNaN(data1)){
const err2 = {instancePath:instancePath+"/revision",schemaPath:"#/properties/revision/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data1 < 0 || isNaN(data1)){
const err3 = {instancePath:instancePath+"/revision",schemaPath:"#/properties/revision/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
if(data.share !== undefined){
let data2 = data.share;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err4 = {instancePath:instancePath+"/share",schemaPath:"#/properties/share/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 100 || isNaN(data2)){
const err5 = {instancePath:instancePath+"/share",schemaPath:"#/properties/share/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data2 < 1 || isNaN(data2)){
const err6 = {instancePath:instancePath+"/share",schemaPath:"#/properties/share/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate118.errors = vErrors;
return errors === 0;
}

exports.closeMove = validate119;
const schema120 = {"type":"object","properties":{"dryRun":{"type":"boolean","description":"Says what the step would do, and what is against it."},"revision":{"type":"integer","minimum":0,"maximum":9007199254740991,"description":"Of the status that the step was decided by: after another step it is refused."},"abandon":{"type":"boolean","description":"The old system stays."}},"required":[]};

function validate119(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.dryRun !== undefined){
if(typeof data.dryRun !== "boolean"){
const err0 = {instancePath:instancePath+"/dryRun",schemaPath:"#/properties/dryRun/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.revision !== undefined){
let data1 = data.revision;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err1 = {instancePath:instancePath+"/revision",schemaPath:"#/properties/revision/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 9007199254740991 || isNaN(data1)){
const err2 = {instancePath:instancePath+"/revision",schemaPath:"#/properties/revision/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data1 < 0 || isNaN(data1)){
const err3 = {instancePath:instancePath+"/revision",schemaPath:"#/properties/revision/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
if(data.abandon !== undefined){
if(typeof data.abandon !== "boolean"){
const err4 = {instancePath:instancePath+"/abandon",schemaPath:"#/properties/abandon/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate119.errors = vErrors;
return errors === 0;
}

exports.reportPlan = validate120;
const schema121 = {"type":"object","properties":{"users":{"type":"integer","minimum":0,"maximum":9007199254740991},"counts":{"type":"object","description":"Whole numbers by name, at most 50."}},"required":["users"]};

function validate120(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.users === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "users"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.users !== undefined){
let data0 = data.users;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err1 = {instancePath:instancePath+"/users",schemaPath:"#/properties/users/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 9007199254740991 || isNaN(data0)){
const err2 = {instancePath:instancePath+"/users",schemaPath:"#/properties/users/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0 < 0 || isNaN(data0)){
const err3 = {instancePath:instancePath+"/users",schemaPath:"#/properties/users/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
if(data.counts !== undefined){
let data1 = data.counts;
if(!(data1 && typeof data1 == "object" && !Array.isArray(data1))){
const err4 = {instancePath:instancePath+"/counts",schemaPath:"#/properties/counts/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate120.errors = vErrors;
return errors === 0;
}

exports.reportCanaries = validate121;
const schema122 = {"type":"object","properties":{"verified":{"type":"integer","minimum":0,"maximum":9007199254740991},"failed":{"type":"integer","minimum":0,"maximum":9007199254740991}},"required":["verified","failed"]};

function validate121(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.verified === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "verified"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.failed === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "failed"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.verified !== undefined){
let data0 = data.verified;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err2 = {instancePath:instancePath+"/verified",schemaPath:"#/properties/verified/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 9007199254740991 || isNaN(data0)){
const err3 = {instancePath:instancePath+"/verified",schemaPath:"#/properties/verified/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data0 < 0 || isNaN(data0)){
const err4 = {instancePath:instancePath+"/verified",schemaPath:"#/properties/verified/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
if(data.failed !== undefined){
let data1 = data.failed;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err5 = {instancePath:instancePath+"/failed",schemaPath:"#/properties/failed/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 9007199254740991 || isNaN(data1)){
const err6 = {instancePath:instancePath+"/failed",schemaPath:"#/properties/failed/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data1 < 0 || isNaN(data1)){
const err7 = {instancePath:instancePath+"/failed",schemaPath:"#/properties/failed/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate121.errors = vErrors;
return errors === 0;
}

exports.reportComparison = validate122;
const schema123 = {"type":"object","properties":{"users":{"type":"integer","minimum":0,"maximum":9007199254740991},"unexplained":{"type":"integer","minimum":0,"maximum":9007199254740991,"description":"Differences that are not settled."},"counts":{"type":"object","description":"Whole numbers by name, at most 50."},"digest":{"type":"string","description":"Of what was compared.","pattern":"^[0-9a-f]{16,128}$","x-why":{"pattern":"must be 16 to 128 lower-case hexadecimal digits"}},"tookMs":{"type":"integer","minimum":0,"maximum":9007199254740991}},"required":["users","unexplained","tookMs"]};
const pattern37 = new RegExp("^[0-9a-f]{16,128}$", "u");

function validate122(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.users === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "users"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.unexplained === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "unexplained"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.tookMs === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "tookMs"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.users !== undefined){
let data0 = data.users;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err3 = {instancePath:instancePath+"/users",schemaPath:"#/properties/users/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 9007199254740991 || isNaN(data0)){
const err4 = {instancePath:instancePath+"/users",schemaPath:"#/properties/users/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data0 < 0 || isNaN(data0)){
const err5 = {instancePath:instancePath+"/users",schemaPath:"#/properties/users/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
if(data.unexplained !== undefined){
let data1 = data.unexplained;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err6 = {instancePath:instancePath+"/unexplained",schemaPath:"#/properties/unexplained/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 9007199254740991 || isNaN(data1)){
const err7 = {instancePath:instancePath+"/unexplained",schemaPath:"#/properties/unexplained/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data1 < 0 || isNaN(data1)){
const err8 = {instancePath:instancePath+"/unexplained",schemaPath:"#/properties/unexplained/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
if(data.counts !== undefined){
let data2 = data.counts;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
const err9 = {instancePath:instancePath+"/counts",schemaPath:"#/properties/counts/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.digest !== undefined){
let data3 = data.digest;
if(typeof data3 === "string"){
if(!pattern37.test(data3)){
const err10 = {instancePath:instancePath+"/digest",schemaPath:"#/properties/digest/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{16,128}$"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/digest",schemaPath:"#/properties/digest/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.tookMs !== undefined){
let data4 = data.tookMs;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err12 = {instancePath:instancePath+"/tookMs",schemaPath:"#/properties/tookMs/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 9007199254740991 || isNaN(data4)){
const err13 = {instancePath:instancePath+"/tookMs",schemaPath:"#/properties/tookMs/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data4 < 0 || isNaN(data4)){
const err14 = {instancePath:instancePath+"/tookMs",schemaPath:"#/properties/tookMs/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
}
else {
const err15 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
validate122.errors = vErrors;
return errors === 0;
}

exports.reportWayBack = validate123;
const schema124 = {"type":"object","properties":{"users":{"type":"integer","minimum":0,"maximum":9007199254740991},"without":{"type":"integer","minimum":0,"maximum":9007199254740991,"description":"Users who could not return to the old system."},"why":{"type":"object","description":"How many of them, by the code of the reason."},"tookMs":{"type":"integer","minimum":0,"maximum":9007199254740991}},"required":["users","without","tookMs"]};

function validate123(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.users === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "users"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.without === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "without"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.tookMs === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "tookMs"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.users !== undefined){
let data0 = data.users;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err3 = {instancePath:instancePath+"/users",schemaPath:"#/properties/users/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 9007199254740991 || isNaN(data0)){
const err4 = {instancePath:instancePath+"/users",schemaPath:"#/properties/users/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data0 < 0 || isNaN(data0)){
const err5 = {instancePath:instancePath+"/users",schemaPath:"#/properties/users/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
if(data.without !== undefined){
let data1 = data.without;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err6 = {instancePath:instancePath+"/without",schemaPath:"#/properties/without/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 9007199254740991 || isNaN(data1)){
const err7 = {instancePath:instancePath+"/without",schemaPath:"#/properties/without/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data1 < 0 || isNaN(data1)){
const err8 = {instancePath:instancePath+"/without",schemaPath:"#/properties/without/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
if(data.why !== undefined){
let data2 = data.why;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
const err9 = {instancePath:instancePath+"/why",schemaPath:"#/properties/why/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.tookMs !== undefined){
let data3 = data.tookMs;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err10 = {instancePath:instancePath+"/tookMs",schemaPath:"#/properties/tookMs/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 9007199254740991 || isNaN(data3)){
const err11 = {instancePath:instancePath+"/tookMs",schemaPath:"#/properties/tookMs/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data3 < 0 || isNaN(data3)){
const err12 = {instancePath:instancePath+"/tookMs",schemaPath:"#/properties/tookMs/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate123.errors = vErrors;
return errors === 0;
}

exports.claimLease = validate124;
const schema125 = {"type":"object","properties":{"role":{"type":"string","enum":["follow","write-back"]},"holder":{"type":"string","description":"For messages, such as the name of a machine and the number of a process.","minLength":1,"maxLength":128},"system":{"type":"string","description":"The provider that reads the old system, such as laravel.","pattern":"^[a-z0-9-]{1,64}$","x-why":{"pattern":"must be the name of a provider"}},"address":{"type":"string","description":"Of its database, without user, password and options. Left out: it is read from files.","maxLength":255,"pattern":"^[a-z]+://[^@?#\\s]+$","x-why":{"pattern":"must be a URL without user, password and options"}},"source":{"type":"string","description":"The label of its imports. Default: no label.","maxLength":64}},"required":["role","holder","system"]};

function validate124(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.role === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "role"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.holder === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "holder"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.system === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "system"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.role !== undefined){
let data0 = data.role;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!((data0 === "follow") || (data0 === "write-back"))){
const err4 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/enum",keyword:"enum",params:{allowedValues: schema125.properties.role.enum}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.holder !== undefined){
let data1 = data.holder;
if(typeof data1 === "string"){
if(data1.length > 128){
const err5 = {instancePath:instancePath+"/holder",schemaPath:"#/properties/holder/maxLength",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/holder",schemaPath:"#/properties/holder/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/holder",schemaPath:"#/properties/holder/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.system !== undefined){
let data2 = data.system;
if(typeof data2 === "string"){
if(!pattern12.test(data2)){
const err8 = {instancePath:instancePath+"/system",schemaPath:"#/properties/system/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9-]{1,64}$"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/system",schemaPath:"#/properties/system/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.address !== undefined){
let data3 = data.address;
if(typeof data3 === "string"){
if(data3.length > 255){
const err10 = {instancePath:instancePath+"/address",schemaPath:"#/properties/address/maxLength",keyword:"maxLength",params:{limit: 255}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!pattern36.test(data3)){
const err11 = {instancePath:instancePath+"/address",schemaPath:"#/properties/address/pattern",keyword:"pattern",params:{pattern: "^[a-z]+://[^@?#\\s]+$"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/address",schemaPath:"#/properties/address/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.source !== undefined){
let data4 = data.source;
if(typeof data4 === "string"){
if(data4.length > 64){
const err13 = {instancePath:instancePath+"/source",schemaPath:"#/properties/source/maxLength",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/source",schemaPath:"#/properties/source/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
validate124.errors = vErrors;
return errors === 0;
}

exports.renewLease = validate125;
const schema126 = {"type":"object","properties":{"role":{"type":"string","enum":["follow","write-back"]},"fence":{"type":"integer","minimum":0,"maximum":9007199254740991,"description":"As claimed."},"position":{"type":"string","description":"Read by the holder alone.","maxLength":4096},"lagMs":{"type":"integer","minimum":0,"maximum":9007199254740991},"lagRecords":{"type":"integer","minimum":0,"maximum":9007199254740991},"jobId":{"type":"string","description":"The import that the holder is about to send: who takes the lease over ends it.","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of an import"}}},"required":["role","fence"]};

function validate125(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.role === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "role"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.fence === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "fence"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.role !== undefined){
let data0 = data.role;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!((data0 === "follow") || (data0 === "write-back"))){
const err3 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/enum",keyword:"enum",params:{allowedValues: schema126.properties.role.enum}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.fence !== undefined){
let data1 = data.fence;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err4 = {instancePath:instancePath+"/fence",schemaPath:"#/properties/fence/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 9007199254740991 || isNaN(data1)){
const err5 = {instancePath:instancePath+"/fence",schemaPath:"#/properties/fence/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1 < 0 || isNaN(data1)){
const err6 = {instancePath:instancePath+"/fence",schemaPath:"#/properties/fence/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
if(data.position !== undefined){
let data2 = data.position;
if(typeof data2 === "string"){
if(data2.length > 4096){
const err7 = {instancePath:instancePath+"/position",schemaPath:"#/properties/position/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/position",schemaPath:"#/properties/position/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.lagMs !== undefined){
let data3 = data.lagMs;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err9 = {instancePath:instancePath+"/lagMs",schemaPath:"#/properties/lagMs/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 9007199254740991 || isNaN(data3)){
const err10 = {instancePath:instancePath+"/lagMs",schemaPath:"#/properties/lagMs/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data3 < 0 || isNaN(data3)){
const err11 = {instancePath:instancePath+"/lagMs",schemaPath:"#/properties/lagMs/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
if(data.lagRecords !== undefined){
let data4 = data.lagRecords;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err12 = {instancePath:instancePath+"/lagRecords",schemaPath:"#/properties/lagRecords/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 9007199254740991 || isNaN(data4)){
const err13 = {instancePath:instancePath+"/lagRecords",schemaPath:"#/properties/lagRecords/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data4 < 0 || isNaN(data4)){
const err14 = {instancePath:instancePath+"/lagRecords",schemaPath:"#/properties/lagRecords/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
if(data.jobId !== undefined){
let data5 = data.jobId;
if(typeof data5 === "string"){
if(!pattern17.test(data5)){
const err15 = {instancePath:instancePath+"/jobId",schemaPath:"#/properties/jobId/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/jobId",schemaPath:"#/properties/jobId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
validate125.errors = vErrors;
return errors === 0;
}

exports.releaseLease = validate126;
const schema127 = {"type":"object","properties":{"role":{"type":"string","enum":["follow","write-back"]},"fence":{"type":"integer","minimum":0,"maximum":9007199254740991,"description":"As claimed."}},"required":["role","fence"]};

function validate126(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.role === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "role"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.fence === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "fence"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.role !== undefined){
let data0 = data.role;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!((data0 === "follow") || (data0 === "write-back"))){
const err3 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/enum",keyword:"enum",params:{allowedValues: schema127.properties.role.enum}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.fence !== undefined){
let data1 = data.fence;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err4 = {instancePath:instancePath+"/fence",schemaPath:"#/properties/fence/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 9007199254740991 || isNaN(data1)){
const err5 = {instancePath:instancePath+"/fence",schemaPath:"#/properties/fence/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1 < 0 || isNaN(data1)){
const err6 = {instancePath:instancePath+"/fence",schemaPath:"#/properties/fence/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate126.errors = vErrors;
return errors === 0;
}

exports.settleChanges = validate127;
const schema128 = {"type":"object","properties":{"fence":{"type":"integer","minimum":0,"maximum":9007199254740991,"description":"As claimed."},"settled":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","minLength":1,"maxLength":256,"pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be an id of GET /move/changes"}},"changes":{"type":"array","items":{"type":"string","pattern":"^[0-9]{1,18}$","x-why":{"pattern":"must be a number of GET /move/changes"}},"minItems":1,"maxItems":500},"oldId":{"type":"string","description":"The key of the row that was made there.","minLength":1,"maxLength":256},"conflict":{"type":"string","description":"Why the user was not written. Left out: what changed is in the old system.","pattern":"^[A-Z_]{1,64}$","x-why":{"pattern":"must be capital letters and _"}},"passwordMark":{"type":"string","description":"The first 16 bytes of SHA-256 of the hash here whose password the old system has by now, in hexadecimal digits.","pattern":"^[0-9a-f]{32}$","x-why":{"pattern":"must be 32 lower-case hexadecimal digits"}}},"required":["id","changes"]},"minItems":1,"maxItems":500}},"required":["fence","settled"]};
const pattern42 = new RegExp("^[0-9]{1,18}$", "u");
const pattern43 = new RegExp("^[A-Z_]{1,64}$", "u");
const pattern44 = new RegExp("^[0-9a-f]{32}$", "u");

function validate127(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.fence === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "fence"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.settled === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "settled"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.fence !== undefined){
let data0 = data.fence;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err2 = {instancePath:instancePath+"/fence",schemaPath:"#/properties/fence/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 9007199254740991 || isNaN(data0)){
const err3 = {instancePath:instancePath+"/fence",schemaPath:"#/properties/fence/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data0 < 0 || isNaN(data0)){
const err4 = {instancePath:instancePath+"/fence",schemaPath:"#/properties/fence/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
if(data.settled !== undefined){
let data1 = data.settled;
if(Array.isArray(data1)){
if(data1.length > 500){
const err5 = {instancePath:instancePath+"/settled",schemaPath:"#/properties/settled/maxItems",keyword:"maxItems",params:{limit: 500}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/settled",schemaPath:"#/properties/settled/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.id === undefined){
const err7 = {instancePath:instancePath+"/settled/" + i0,schemaPath:"#/properties/settled/items/required",keyword:"required",params:{missingProperty: "id"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data2.changes === undefined){
const err8 = {instancePath:instancePath+"/settled/" + i0,schemaPath:"#/properties/settled/items/required",keyword:"required",params:{missingProperty: "changes"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data2.id !== undefined){
let data3 = data2.id;
if(typeof data3 === "string"){
if(data3.length > 256){
const err9 = {instancePath:instancePath+"/settled/" + i0+"/id",schemaPath:"#/properties/settled/items/properties/id/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data3.length < 1){
const err10 = {instancePath:instancePath+"/settled/" + i0+"/id",schemaPath:"#/properties/settled/items/properties/id/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!pattern17.test(data3)){
const err11 = {instancePath:instancePath+"/settled/" + i0+"/id",schemaPath:"#/properties/settled/items/properties/id/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/settled/" + i0+"/id",schemaPath:"#/properties/settled/items/properties/id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data2.changes !== undefined){
let data4 = data2.changes;
if(Array.isArray(data4)){
if(data4.length > 500){
const err13 = {instancePath:instancePath+"/settled/" + i0+"/changes",schemaPath:"#/properties/settled/items/properties/changes/maxItems",keyword:"maxItems",params:{limit: 500}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data4.length < 1){
const err14 = {instancePath:instancePath+"/settled/" + i0+"/changes",schemaPath:"#/properties/settled/items/properties/changes/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
const len1 = data4.length;
for(let i1=0; i1<len1; i1++){
let data5 = data4[i1];
if(typeof data5 === "string"){
if(!pattern42.test(data5)){
const err15 = {instancePath:instancePath+"/settled/" + i0+"/changes/" + i1,schemaPath:"#/properties/settled/items/properties/changes/items/pattern",keyword:"pattern",params:{pattern: "^[0-9]{1,18}$"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/settled/" + i0+"/changes/" + i1,schemaPath:"#/properties/settled/items/properties/changes/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath:instancePath+"/settled/" + i0+"/changes",schemaPath:"#/properties/settled/items/properties/changes/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data2.oldId !== undefined){
let data6 = data2.oldId;
if(typeof data6 === "string"){
if(data6.length > 256){
const err18 = {instancePath:instancePath+"/settled/" + i0+"/oldId",schemaPath:"#/properties/settled/items/properties/oldId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(data6.length < 1){
const err19 = {instancePath:instancePath+"/settled/" + i0+"/oldId",schemaPath:"#/properties/settled/items/properties/oldId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/settled/" + i0+"/oldId",schemaPath:"#/properties/settled/items/properties/oldId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data2.conflict !== undefined){
let data7 = data2.conflict;
if(typeof data7 === "string"){
if(!pattern43.test(data7)){
const err21 = {instancePath:instancePath+"/settled/" + i0+"/conflict",schemaPath:"#/properties/settled/items/properties/conflict/pattern",keyword:"pattern",params:{pattern: "^[A-Z_]{1,64}$"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/settled/" + i0+"/conflict",schemaPath:"#/properties/settled/items/properties/conflict/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data2.passwordMark !== undefined){
let data8 = data2.passwordMark;
if(typeof data8 === "string"){
if(!pattern44.test(data8)){
const err23 = {instancePath:instancePath+"/settled/" + i0+"/passwordMark",schemaPath:"#/properties/settled/items/properties/passwordMark/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{32}$"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/settled/" + i0+"/passwordMark",schemaPath:"#/properties/settled/items/properties/passwordMark/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
}
else {
const err25 = {instancePath:instancePath+"/settled/" + i0,schemaPath:"#/properties/settled/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
else {
const err26 = {instancePath:instancePath+"/settled",schemaPath:"#/properties/settled/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
else {
const err27 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
validate127.errors = vErrors;
return errors === 0;
}

exports.reportSignIns = validate128;
const schema129 = {"type":"object","properties":{"signIns":{"type":"array","items":{"type":"object","properties":{"email":{"type":"string","x-normalise":"email"},"userId":{"type":"string","minLength":1,"maxLength":256},"isRight":{"type":"boolean"}},"required":["isRight"]},"minItems":1,"maxItems":500}},"required":["signIns"]};

function validate128(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.signIns === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "signIns"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.signIns !== undefined){
let data0 = data.signIns;
if(Array.isArray(data0)){
if(data0.length > 500){
const err1 = {instancePath:instancePath+"/signIns",schemaPath:"#/properties/signIns/maxItems",keyword:"maxItems",params:{limit: 500}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/signIns",schemaPath:"#/properties/signIns/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.isRight === undefined){
const err3 = {instancePath:instancePath+"/signIns/" + i0,schemaPath:"#/properties/signIns/items/required",keyword:"required",params:{missingProperty: "isRight"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1.email !== undefined){
if(typeof data1.email !== "string"){
const err4 = {instancePath:instancePath+"/signIns/" + i0+"/email",schemaPath:"#/properties/signIns/items/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data1.userId !== undefined){
let data3 = data1.userId;
if(typeof data3 === "string"){
if(data3.length > 256){
const err5 = {instancePath:instancePath+"/signIns/" + i0+"/userId",schemaPath:"#/properties/signIns/items/properties/userId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data3.length < 1){
const err6 = {instancePath:instancePath+"/signIns/" + i0+"/userId",schemaPath:"#/properties/signIns/items/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/signIns/" + i0+"/userId",schemaPath:"#/properties/signIns/items/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data1.isRight !== undefined){
if(typeof data1.isRight !== "boolean"){
const err8 = {instancePath:instancePath+"/signIns/" + i0+"/isRight",schemaPath:"#/properties/signIns/items/properties/isRight/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath:instancePath+"/signIns/" + i0,schemaPath:"#/properties/signIns/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath:instancePath+"/signIns",schemaPath:"#/properties/signIns/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate128.errors = vErrors;
return errors === 0;
}

exports.whereToSignIn = validate129;
const schema130 = {"type":"object","properties":{"email":{"type":"string","x-normalise":"email","minLength":1,"maxLength":256},"userId":{"type":"string","minLength":1,"maxLength":256}},"required":[]};

function validate129(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email !== undefined){
let data0 = data.email;
if(typeof data0 === "string"){
if(data0.length > 256){
const err0 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data0.length < 1){
const err1 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.userId !== undefined){
let data1 = data.userId;
if(typeof data1 === "string"){
if(data1.length > 256){
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1.length < 1){
const err4 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate129.errors = vErrors;
return errors === 0;
}

exports.readChanges = validate130;
const schema131 = {"type":"object","properties":{"limit":{"type":"integer","description":"Changes, default 500.","minimum":1,"maximum":500},"conflicts":{"type":"boolean","description":"Those that were not written, instead of those that wait."},"after":{"type":"string","description":"The greatest number of the answer before, to read on without confirming it.","pattern":"^[0-9]{1,18}$","x-why":{"pattern":"must be a number of GET /move/changes"}},"changedSince":{"type":"integer","minimum":0,"maximum":8640000000000000,"x-why":{"type":"must be a whole number of milliseconds since 1970","minimum":"must be a whole number of milliseconds since 1970","maximum":"must be a whole number of milliseconds since 1970"},"description":"Only changes from then on, in ms since 1970."}},"required":[]};

function validate130(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.limit !== undefined){
let data0 = data.limit;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err0 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 500 || isNaN(data0)){
const err1 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 500}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0 < 1 || isNaN(data0)){
const err2 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
if(data.conflicts !== undefined){
if(typeof data.conflicts !== "boolean"){
const err3 = {instancePath:instancePath+"/conflicts",schemaPath:"#/properties/conflicts/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.after !== undefined){
let data2 = data.after;
if(typeof data2 === "string"){
if(!pattern42.test(data2)){
const err4 = {instancePath:instancePath+"/after",schemaPath:"#/properties/after/pattern",keyword:"pattern",params:{pattern: "^[0-9]{1,18}$"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/after",schemaPath:"#/properties/after/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.changedSince !== undefined){
let data3 = data.changedSince;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err6 = {instancePath:instancePath+"/changedSince",schemaPath:"#/properties/changedSince/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 8640000000000000 || isNaN(data3)){
const err7 = {instancePath:instancePath+"/changedSince",schemaPath:"#/properties/changedSince/maximum",keyword:"maximum",params:{comparison: "<=", limit: 8640000000000000}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data3 < 0 || isNaN(data3)){
const err8 = {instancePath:instancePath+"/changedSince",schemaPath:"#/properties/changedSince/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate130.errors = vErrors;
return errors === 0;
}

exports.listAudit = validate131;
const schema132 = {"type":"object","properties":{"since":{"type":"integer","minimum":0,"description":"No older ones; ms since the epoch."},"who":{"type":"string","minLength":1,"maxLength":64,"description":"The name of a key."},"what":{"type":"string","minLength":1,"maxLength":64,"description":"An act, or its beginning up to a dot: `import` finds `import.undo` too."},"limit":{"type":"integer","minimum":1,"maximum":500},"paginationToken":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be a token that an earlier page gave"}}},"required":[]};

function validate131(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.since !== undefined){
let data0 = data.since;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err0 = {instancePath:instancePath+"/since",schemaPath:"#/properties/since/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
const err1 = {instancePath:instancePath+"/since",schemaPath:"#/properties/since/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
if(data.who !== undefined){
let data1 = data.who;
if(typeof data1 === "string"){
if(data1.length > 64){
const err2 = {instancePath:instancePath+"/who",schemaPath:"#/properties/who/maxLength",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data1.length < 1){
const err3 = {instancePath:instancePath+"/who",schemaPath:"#/properties/who/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/who",schemaPath:"#/properties/who/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.what !== undefined){
let data2 = data.what;
if(typeof data2 === "string"){
if(data2.length > 64){
const err5 = {instancePath:instancePath+"/what",schemaPath:"#/properties/what/maxLength",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data2.length < 1){
const err6 = {instancePath:instancePath+"/what",schemaPath:"#/properties/what/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/what",schemaPath:"#/properties/what/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.limit !== undefined){
let data3 = data.limit;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err8 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 500 || isNaN(data3)){
const err9 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 500}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data3 < 1 || isNaN(data3)){
const err10 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
if(data.paginationToken !== undefined){
let data4 = data.paginationToken;
if(typeof data4 === "string"){
if(!pattern17.test(data4)){
const err11 = {instancePath:instancePath+"/paginationToken",schemaPath:"#/properties/paginationToken/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/paginationToken",schemaPath:"#/properties/paginationToken/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate131.errors = vErrors;
return errors === 0;
}

exports.beginConsoleSession = validate132;
const schema133 = {"type":"object","description":"With a key, or with email and password of a dashboard user.","properties":{"key":{"type":"string","maxLength":4096},"email":{"type":"string","x-normalise":"email"},"password":{"type":"string","x-maxBytes":4096},"isSecure":{"type":"boolean","description":"The page came by HTTPS: so must the cookie."}},"required":[]};

function validate132(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.key !== undefined){
let data0 = data.key;
if(typeof data0 === "string"){
if(data0.length > 4096){
const err0 = {instancePath:instancePath+"/key",schemaPath:"#/properties/key/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath:instancePath+"/key",schemaPath:"#/properties/key/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.email !== undefined){
if(typeof data.email !== "string"){
const err2 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.password !== undefined){
let data2 = data.password;
if(typeof data2 === "string"){
if(Buffer.byteLength(data2) > 4096){
const err3 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/x-maxBytes",keyword:"x-maxBytes",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.isSecure !== undefined){
if(typeof data.isSecure !== "boolean"){
const err5 = {instancePath:instancePath+"/isSecure",schemaPath:"#/properties/isSecure/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate132.errors = vErrors;
return errors === 0;
}

exports.startRun = validate133;
const schema134 = {"type":"object","properties":{"kind":{"type":"string","enum":["inspect","propose","doctor","plan","dry-run","import","compare","read-database"]},"files":{"type":"array","items":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"maxItems":100,"description":"Read as one."},"canaries":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"},"description":"Users with known passwords. Of `doctor`: the pairs."},"related":{"type":"object","description":"Further files of the format, by the name of its option.","properties":{"aspnet-logins":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"auth0-hashes":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"auth0-factors":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"authjs-accounts":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"better-auth-accounts":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"better-auth-two-factor":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"devise-identities":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"django-emails":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"django-identities":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"laravel-accounts":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"spring-authorities":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"stytch-hashes":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"supabase-identities":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"supabase-factors":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"wordpress-usermeta":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"wordpress-wordfence":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}},"wordpress-miniorange":{"type":"string","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$","x-why":{"pattern":"must be the id of a file of the console"}}}},"secrets":{"type":"object","description":"Keys of the old system, by the name of their option; forgotten with the end of the run.","properties":{"better-auth-secret":{"type":"string","maxLength":4096},"pepper":{"type":"string","maxLength":4096},"devise-otp-key":{"type":"string","maxLength":4096},"rails-primary-key":{"type":"string","maxLength":4096},"rails-derivation-salt":{"type":"string","maxLength":4096},"firebase-signer-key":{"type":"string","maxLength":4096},"laravel-app-key":{"type":"string","maxLength":4096},"wordpress-2fa-key":{"type":"string","maxLength":4096},"password-as":{"type":"string","maxLength":4096}}},"address":{"type":"string","maxLength":2048,"description":"Of the database, for `read-database`; the password may be in it, and is not stored.","pattern":"^(postgres|postgresql|mysql|mariadb)://","x-why":{"pattern":"must begin with postgres:// or mysql://"}},"map":{"type":"array","items":{"type":"string","maxLength":256},"maxItems":100},"from":{"type":"string","maxLength":256},"hashAs":{"type":"string","maxLength":256},"withoutPassword":{"type":"string","maxLength":256},"idPrefix":{"type":"string","maxLength":256},"tenant":{"type":"string","maxLength":256},"encoding":{"type":"string","maxLength":256},"table":{"type":"string","maxLength":256},"dates":{"type":"string","maxLength":256},"country":{"type":"string","maxLength":256},"rolesFrom":{"type":"string","maxLength":256},"onConflict":{"type":"string","maxLength":256},"secondFactor":{"type":"string","maxLength":256},"absent":{"type":"string","maxLength":256},"source":{"type":"string","maxLength":256},"schema":{"type":"string","maxLength":256},"tablePrefix":{"type":"string","maxLength":256},"usersTable":{"type":"string","maxLength":256},"realm":{"type":"string","maxLength":256},"partial":{"type":"boolean"},"includeDeleted":{"type":"boolean"},"showSamples":{"type":"boolean","description":"Shows emails and ids of samples in full."}},"required":["kind"]};
const pattern66 = new RegExp("^(postgres|postgresql|mysql|mariadb)://", "u");

function validate133(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kind === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "kind"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.kind !== undefined){
let data0 = data.kind;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(!((((((((data0 === "inspect") || (data0 === "propose")) || (data0 === "doctor")) || (data0 === "plan")) || (data0 === "dry-run")) || (data0 === "import")) || (data0 === "compare")) || (data0 === "read-database"))){
const err2 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/enum",keyword:"enum",params:{allowedValues: schema134.properties.kind.enum}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.files !== undefined){
let data1 = data.files;
if(Array.isArray(data1)){
if(data1.length > 100){
const err3 = {instancePath:instancePath+"/files",schemaPath:"#/properties/files/maxItems",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(typeof data2 === "string"){
if(!pattern17.test(data2)){
const err4 = {instancePath:instancePath+"/files/" + i0,schemaPath:"#/properties/files/items/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/files/" + i0,schemaPath:"#/properties/files/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath:instancePath+"/files",schemaPath:"#/properties/files/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.canaries !== undefined){
let data3 = data.canaries;
if(typeof data3 === "string"){
if(!pattern17.test(data3)){
const err7 = {instancePath:instancePath+"/canaries",schemaPath:"#/properties/canaries/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/canaries",schemaPath:"#/properties/canaries/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.related !== undefined){
let data4 = data.related;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4["aspnet-logins"] !== undefined){
let data5 = data4["aspnet-logins"];
if(typeof data5 === "string"){
if(!pattern17.test(data5)){
const err9 = {instancePath:instancePath+"/related/aspnet-logins",schemaPath:"#/properties/related/properties/aspnet-logins/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/related/aspnet-logins",schemaPath:"#/properties/related/properties/aspnet-logins/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data4["auth0-hashes"] !== undefined){
let data6 = data4["auth0-hashes"];
if(typeof data6 === "string"){
if(!pattern17.test(data6)){
const err11 = {instancePath:instancePath+"/related/auth0-hashes",schemaPath:"#/properties/related/properties/auth0-hashes/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/related/auth0-hashes",schemaPath:"#/properties/related/properties/auth0-hashes/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data4["auth0-factors"] !== undefined){
let data7 = data4["auth0-factors"];
if(typeof data7 === "string"){
if(!pattern17.test(data7)){
const err13 = {instancePath:instancePath+"/related/auth0-factors",schemaPath:"#/properties/related/properties/auth0-factors/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/related/auth0-factors",schemaPath:"#/properties/related/properties/auth0-factors/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data4["authjs-accounts"] !== undefined){
let data8 = data4["authjs-accounts"];
if(typeof data8 === "string"){
if(!pattern17.test(data8)){
const err15 = {instancePath:instancePath+"/related/authjs-accounts",schemaPath:"#/properties/related/properties/authjs-accounts/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/related/authjs-accounts",schemaPath:"#/properties/related/properties/authjs-accounts/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data4["better-auth-accounts"] !== undefined){
let data9 = data4["better-auth-accounts"];
if(typeof data9 === "string"){
if(!pattern17.test(data9)){
const err17 = {instancePath:instancePath+"/related/better-auth-accounts",schemaPath:"#/properties/related/properties/better-auth-accounts/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/related/better-auth-accounts",schemaPath:"#/properties/related/properties/better-auth-accounts/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data4["better-auth-two-factor"] !== undefined){
let data10 = data4["better-auth-two-factor"];
if(typeof data10 === "string"){
if(!pattern17.test(data10)){
const err19 = {instancePath:instancePath+"/related/better-auth-two-factor",schemaPath:"#/properties/related/properties/better-auth-two-factor/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/related/better-auth-two-factor",schemaPath:"#/properties/related/properties/better-auth-two-factor/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data4["devise-identities"] !== undefined){
let data11 = data4["devise-identities"];
if(typeof data11 === "string"){
if(!pattern17.test(data11)){
const err21 = {instancePath:instancePath+"/related/devise-identities",schemaPath:"#/properties/related/properties/devise-identities/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/related/devise-identities",schemaPath:"#/properties/related/properties/devise-identities/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data4["django-emails"] !== undefined){
let data12 = data4["django-emails"];
if(typeof data12 === "string"){
if(!pattern17.test(data12)){
const err23 = {instancePath:instancePath+"/related/django-emails",schemaPath:"#/properties/related/properties/django-emails/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/related/django-emails",schemaPath:"#/properties/related/properties/django-emails/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data4["django-identities"] !== undefined){
let data13 = data4["django-identities"];
if(typeof data13 === "string"){
if(!pattern17.test(data13)){
const err25 = {instancePath:instancePath+"/related/django-identities",schemaPath:"#/properties/related/properties/django-identities/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/related/django-identities",schemaPath:"#/properties/related/properties/django-identities/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data4["laravel-accounts"] !== undefined){
let data14 = data4["laravel-accounts"];
if(typeof data14 === "string"){
if(!pattern17.test(data14)){
const err27 = {instancePath:instancePath+"/related/laravel-accounts",schemaPath:"#/properties/related/properties/laravel-accounts/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/related/laravel-accounts",schemaPath:"#/properties/related/properties/laravel-accounts/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data4["spring-authorities"] !== undefined){
let data15 = data4["spring-authorities"];
if(typeof data15 === "string"){
if(!pattern17.test(data15)){
const err29 = {instancePath:instancePath+"/related/spring-authorities",schemaPath:"#/properties/related/properties/spring-authorities/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
else {
const err30 = {instancePath:instancePath+"/related/spring-authorities",schemaPath:"#/properties/related/properties/spring-authorities/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data4["stytch-hashes"] !== undefined){
let data16 = data4["stytch-hashes"];
if(typeof data16 === "string"){
if(!pattern17.test(data16)){
const err31 = {instancePath:instancePath+"/related/stytch-hashes",schemaPath:"#/properties/related/properties/stytch-hashes/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
else {
const err32 = {instancePath:instancePath+"/related/stytch-hashes",schemaPath:"#/properties/related/properties/stytch-hashes/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data4["supabase-identities"] !== undefined){
let data17 = data4["supabase-identities"];
if(typeof data17 === "string"){
if(!pattern17.test(data17)){
const err33 = {instancePath:instancePath+"/related/supabase-identities",schemaPath:"#/properties/related/properties/supabase-identities/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
else {
const err34 = {instancePath:instancePath+"/related/supabase-identities",schemaPath:"#/properties/related/properties/supabase-identities/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data4["supabase-factors"] !== undefined){
let data18 = data4["supabase-factors"];
if(typeof data18 === "string"){
if(!pattern17.test(data18)){
const err35 = {instancePath:instancePath+"/related/supabase-factors",schemaPath:"#/properties/related/properties/supabase-factors/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
else {
const err36 = {instancePath:instancePath+"/related/supabase-factors",schemaPath:"#/properties/related/properties/supabase-factors/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data4["wordpress-usermeta"] !== undefined){
let data19 = data4["wordpress-usermeta"];
if(typeof data19 === "string"){
if(!pattern17.test(data19)){
const err37 = {instancePath:instancePath+"/related/wordpress-usermeta",schemaPath:"#/properties/related/properties/wordpress-usermeta/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
else {
const err38 = {instancePath:instancePath+"/related/wordpress-usermeta",schemaPath:"#/properties/related/properties/wordpress-usermeta/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data4["wordpress-wordfence"] !== undefined){
let data20 = data4["wordpress-wordfence"];
if(typeof data20 === "string"){
if(!pattern17.test(data20)){
const err39 = {instancePath:instancePath+"/related/wordpress-wordfence",schemaPath:"#/properties/related/properties/wordpress-wordfence/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
else {
const err40 = {instancePath:instancePath+"/related/wordpress-wordfence",schemaPath:"#/properties/related/properties/wordpress-wordfence/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data4["wordpress-miniorange"] !== undefined){
let data21 = data4["wordpress-miniorange"];
if(typeof data21 === "string"){
if(!pattern17.test(data21)){
const err41 = {instancePath:instancePath+"/related/wordpress-miniorange",schemaPath:"#/properties/related/properties/wordpress-miniorange/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
else {
const err42 = {instancePath:instancePath+"/related/wordpress-miniorange",schemaPath:"#/properties/related/properties/wordpress-miniorange/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
}
else {
const err43 = {instancePath:instancePath+"/related",schemaPath:"#/properties/related/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data.secrets !== undefined){
let data22 = data.secrets;
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
if(data22["better-auth-secret"] !== undefined){
let data23 = data22["better-auth-secret"];
if(typeof data23 === "string"){
if(data23.length > 4096){
const err44 = {instancePath:instancePath+"/secrets/better-auth-secret",schemaPath:"#/properties/secrets/properties/better-auth-secret/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
else {
const err45 = {instancePath:instancePath+"/secrets/better-auth-secret",schemaPath:"#/properties/secrets/properties/better-auth-secret/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
if(data22.pepper !== undefined){
let data24 = data22.pepper;
if(typeof data24 === "string"){
if(data24.length > 4096){
const err46 = {instancePath:instancePath+"/secrets/pepper",schemaPath:"#/properties/secrets/properties/pepper/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
else {
const err47 = {instancePath:instancePath+"/secrets/pepper",schemaPath:"#/properties/secrets/properties/pepper/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data22["devise-otp-key"] !== undefined){
let data25 = data22["devise-otp-key"];
if(typeof data25 === "string"){
if(data25.length > 4096){
const err48 = {instancePath:instancePath+"/secrets/devise-otp-key",schemaPath:"#/properties/secrets/properties/devise-otp-key/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
else {
const err49 = {instancePath:instancePath+"/secrets/devise-otp-key",schemaPath:"#/properties/secrets/properties/devise-otp-key/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data22["rails-primary-key"] !== undefined){
let data26 = data22["rails-primary-key"];
if(typeof data26 === "string"){
if(data26.length > 4096){
const err50 = {instancePath:instancePath+"/secrets/rails-primary-key",schemaPath:"#/properties/secrets/properties/rails-primary-key/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
else {
const err51 = {instancePath:instancePath+"/secrets/rails-primary-key",schemaPath:"#/properties/secrets/properties/rails-primary-key/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
if(data22["rails-derivation-salt"] !== undefined){
let data27 = data22["rails-derivation-salt"];
if(typeof data27 === "string"){
if(data27.length > 4096){
const err52 = {instancePath:instancePath+"/secrets/rails-derivation-salt",schemaPath:"#/properties/secrets/properties/rails-derivation-salt/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
else {
const err53 = {instancePath:instancePath+"/secrets/rails-derivation-salt",schemaPath:"#/properties/secrets/properties/rails-derivation-salt/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
if(data22["firebase-signer-key"] !== undefined){
let data28 = data22["firebase-signer-key"];
if(typeof data28 === "string"){
if(data28.length > 4096){
const err54 = {instancePath:instancePath+"/secrets/firebase-signer-key",schemaPath:"#/properties/secrets/properties/firebase-signer-key/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
else {
const err55 = {instancePath:instancePath+"/secrets/firebase-signer-key",schemaPath:"#/properties/secrets/properties/firebase-signer-key/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data22["laravel-app-key"] !== undefined){
let data29 = data22["laravel-app-key"];
if(typeof data29 === "string"){
if(data29.length > 4096){
const err56 = {instancePath:instancePath+"/secrets/laravel-app-key",schemaPath:"#/properties/secrets/properties/laravel-app-key/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
else {
const err57 = {instancePath:instancePath+"/secrets/laravel-app-key",schemaPath:"#/properties/secrets/properties/laravel-app-key/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
if(data22["wordpress-2fa-key"] !== undefined){
let data30 = data22["wordpress-2fa-key"];
if(typeof data30 === "string"){
if(data30.length > 4096){
const err58 = {instancePath:instancePath+"/secrets/wordpress-2fa-key",schemaPath:"#/properties/secrets/properties/wordpress-2fa-key/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
else {
const err59 = {instancePath:instancePath+"/secrets/wordpress-2fa-key",schemaPath:"#/properties/secrets/properties/wordpress-2fa-key/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data22["password-as"] !== undefined){
let data31 = data22["password-as"];
if(typeof data31 === "string"){
if(data31.length > 4096){
const err60 = {instancePath:instancePath+"/secrets/password-as",schemaPath:"#/properties/secrets/properties/password-as/maxLength",keyword:"maxLength",params:{limit: 4096}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
else {
const err61 = {instancePath:instancePath+"/secrets/password-as",schemaPath:"#/properties/secrets/properties/password-as/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
}
else {
const err62 = {instancePath:instancePath+"/secrets",schemaPath:"#/properties/secrets/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
if(data.address !== undefined){
let data32 = data.address;
if(typeof data32 === "string"){
if(data32.length > 2048){
const err63 = {instancePath:instancePath+"/address",schemaPath:"#/properties/address/maxLength",keyword:"maxLength",params:{limit: 2048}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
if(!pattern66.test(data32)){
const err64 = {instancePath:instancePath+"/address",schemaPath:"#/properties/address/pattern",keyword:"pattern",params:{pattern: "^(postgres|postgresql|mysql|mariadb)://"}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
else {
const err65 = {instancePath:instancePath+"/address",schemaPath:"#/properties/address/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
if(data.map !== undefined){
let data33 = data.map;
if(Array.isArray(data33)){
if(data33.length > 100){
const err66 = {instancePath:instancePath+"/map",schemaPath:"#/properties/map/maxItems",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
const len1 = data33.length;
for(let i1=0; i1<len1; i1++){
let data34 = data33[i1];
if(typeof data34 === "string"){
if(data34.length > 256){
const err67 = {instancePath:instancePath+"/map/" + i1,schemaPath:"#/properties/map/items/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
else {
const err68 = {instancePath:instancePath+"/map/" + i1,schemaPath:"#/properties/map/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
}
else {
const err69 = {instancePath:instancePath+"/map",schemaPath:"#/properties/map/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
if(data.from !== undefined){
let data35 = data.from;
if(typeof data35 === "string"){
if(data35.length > 256){
const err70 = {instancePath:instancePath+"/from",schemaPath:"#/properties/from/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
else {
const err71 = {instancePath:instancePath+"/from",schemaPath:"#/properties/from/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
}
if(data.hashAs !== undefined){
let data36 = data.hashAs;
if(typeof data36 === "string"){
if(data36.length > 256){
const err72 = {instancePath:instancePath+"/hashAs",schemaPath:"#/properties/hashAs/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
}
else {
const err73 = {instancePath:instancePath+"/hashAs",schemaPath:"#/properties/hashAs/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
if(data.withoutPassword !== undefined){
let data37 = data.withoutPassword;
if(typeof data37 === "string"){
if(data37.length > 256){
const err74 = {instancePath:instancePath+"/withoutPassword",schemaPath:"#/properties/withoutPassword/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
else {
const err75 = {instancePath:instancePath+"/withoutPassword",schemaPath:"#/properties/withoutPassword/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
if(data.idPrefix !== undefined){
let data38 = data.idPrefix;
if(typeof data38 === "string"){
if(data38.length > 256){
const err76 = {instancePath:instancePath+"/idPrefix",schemaPath:"#/properties/idPrefix/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
else {
const err77 = {instancePath:instancePath+"/idPrefix",schemaPath:"#/properties/idPrefix/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
if(data.tenant !== undefined){
let data39 = data.tenant;
if(typeof data39 === "string"){
if(data39.length > 256){
const err78 = {instancePath:instancePath+"/tenant",schemaPath:"#/properties/tenant/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
else {
const err79 = {instancePath:instancePath+"/tenant",schemaPath:"#/properties/tenant/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
if(data.encoding !== undefined){
let data40 = data.encoding;
if(typeof data40 === "string"){
if(data40.length > 256){
const err80 = {instancePath:instancePath+"/encoding",schemaPath:"#/properties/encoding/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
else {
const err81 = {instancePath:instancePath+"/encoding",schemaPath:"#/properties/encoding/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
}
if(data.table !== undefined){
let data41 = data.table;
if(typeof data41 === "string"){
if(data41.length > 256){
const err82 = {instancePath:instancePath+"/table",schemaPath:"#/properties/table/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
else {
const err83 = {instancePath:instancePath+"/table",schemaPath:"#/properties/table/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
}
if(data.dates !== undefined){
let data42 = data.dates;
if(typeof data42 === "string"){
if(data42.length > 256){
const err84 = {instancePath:instancePath+"/dates",schemaPath:"#/properties/dates/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
}
else {
const err85 = {instancePath:instancePath+"/dates",schemaPath:"#/properties/dates/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
}
if(data.country !== undefined){
let data43 = data.country;
if(typeof data43 === "string"){
if(data43.length > 256){
const err86 = {instancePath:instancePath+"/country",schemaPath:"#/properties/country/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
}
else {
const err87 = {instancePath:instancePath+"/country",schemaPath:"#/properties/country/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
if(data.rolesFrom !== undefined){
let data44 = data.rolesFrom;
if(typeof data44 === "string"){
if(data44.length > 256){
const err88 = {instancePath:instancePath+"/rolesFrom",schemaPath:"#/properties/rolesFrom/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
}
else {
const err89 = {instancePath:instancePath+"/rolesFrom",schemaPath:"#/properties/rolesFrom/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
}
if(data.onConflict !== undefined){
let data45 = data.onConflict;
if(typeof data45 === "string"){
if(data45.length > 256){
const err90 = {instancePath:instancePath+"/onConflict",schemaPath:"#/properties/onConflict/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
else {
const err91 = {instancePath:instancePath+"/onConflict",schemaPath:"#/properties/onConflict/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
}
if(data.secondFactor !== undefined){
let data46 = data.secondFactor;
if(typeof data46 === "string"){
if(data46.length > 256){
const err92 = {instancePath:instancePath+"/secondFactor",schemaPath:"#/properties/secondFactor/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
}
else {
const err93 = {instancePath:instancePath+"/secondFactor",schemaPath:"#/properties/secondFactor/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
if(data.absent !== undefined){
let data47 = data.absent;
if(typeof data47 === "string"){
if(data47.length > 256){
const err94 = {instancePath:instancePath+"/absent",schemaPath:"#/properties/absent/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
}
else {
const err95 = {instancePath:instancePath+"/absent",schemaPath:"#/properties/absent/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
}
if(data.source !== undefined){
let data48 = data.source;
if(typeof data48 === "string"){
if(data48.length > 256){
const err96 = {instancePath:instancePath+"/source",schemaPath:"#/properties/source/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
}
else {
const err97 = {instancePath:instancePath+"/source",schemaPath:"#/properties/source/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
}
if(data.schema !== undefined){
let data49 = data.schema;
if(typeof data49 === "string"){
if(data49.length > 256){
const err98 = {instancePath:instancePath+"/schema",schemaPath:"#/properties/schema/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
}
else {
const err99 = {instancePath:instancePath+"/schema",schemaPath:"#/properties/schema/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
}
if(data.tablePrefix !== undefined){
let data50 = data.tablePrefix;
if(typeof data50 === "string"){
if(data50.length > 256){
const err100 = {instancePath:instancePath+"/tablePrefix",schemaPath:"#/properties/tablePrefix/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
}
else {
const err101 = {instancePath:instancePath+"/tablePrefix",schemaPath:"#/properties/tablePrefix/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
}
if(data.usersTable !== undefined){
let data51 = data.usersTable;
if(typeof data51 === "string"){
if(data51.length > 256){
const err102 = {instancePath:instancePath+"/usersTable",schemaPath:"#/properties/usersTable/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
}
else {
const err103 = {instancePath:instancePath+"/usersTable",schemaPath:"#/properties/usersTable/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
if(data.realm !== undefined){
let data52 = data.realm;
if(typeof data52 === "string"){
if(data52.length > 256){
const err104 = {instancePath:instancePath+"/realm",schemaPath:"#/properties/realm/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
}
else {
const err105 = {instancePath:instancePath+"/realm",schemaPath:"#/properties/realm/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
}
if(data.partial !== undefined){
if(typeof data.partial !== "boolean"){
const err106 = {instancePath:instancePath+"/partial",schemaPath:"#/properties/partial/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
}
if(data.includeDeleted !== undefined){
if(typeof data.includeDeleted !== "boolean"){
const err107 = {instancePath:instancePath+"/includeDeleted",schemaPath:"#/properties/includeDeleted/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
}
if(data.showSamples !== undefined){
if(typeof data.showSamples !== "boolean"){
const err108 = {instancePath:instancePath+"/showSamples",schemaPath:"#/properties/showSamples/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
}
}
else {
const err109 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
validate133.errors = vErrors;
return errors === 0;
}

exports.mendRecords = validate134;
const schema135 = {"type":"object","properties":{"records":{"type":"array","minItems":1,"maxItems":1000,"items":{"type":"object","properties":{"mend":{"type":"integer","minimum":0,"description":"As the list of rejects has it."},"record":{"type":"string","minLength":2,"maxLength":1000000,"description":"The corrected record as JSON. What is `(masked)` in it stays as it was."}},"required":["mend","record"]}}},"required":["records"]};

function validate134(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.records === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "records"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.records !== undefined){
let data0 = data.records;
if(Array.isArray(data0)){
if(data0.length > 1000){
const err1 = {instancePath:instancePath+"/records",schemaPath:"#/properties/records/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/records",schemaPath:"#/properties/records/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.mend === undefined){
const err3 = {instancePath:instancePath+"/records/" + i0,schemaPath:"#/properties/records/items/required",keyword:"required",params:{missingProperty: "mend"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1.record === undefined){
const err4 = {instancePath:instancePath+"/records/" + i0,schemaPath:"#/properties/records/items/required",keyword:"required",params:{missingProperty: "record"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data1.mend !== undefined){
let data2 = data1.mend;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err5 = {instancePath:instancePath+"/records/" + i0+"/mend",schemaPath:"#/properties/records/items/properties/mend/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err6 = {instancePath:instancePath+"/records/" + i0+"/mend",schemaPath:"#/properties/records/items/properties/mend/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
if(data1.record !== undefined){
let data3 = data1.record;
if(typeof data3 === "string"){
if(data3.length > 1000000){
const err7 = {instancePath:instancePath+"/records/" + i0+"/record",schemaPath:"#/properties/records/items/properties/record/maxLength",keyword:"maxLength",params:{limit: 1000000}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data3.length < 2){
const err8 = {instancePath:instancePath+"/records/" + i0+"/record",schemaPath:"#/properties/records/items/properties/record/minLength",keyword:"minLength",params:{limit: 2}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/records/" + i0+"/record",schemaPath:"#/properties/records/items/properties/record/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath:instancePath+"/records/" + i0,schemaPath:"#/properties/records/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath:instancePath+"/records",schemaPath:"#/properties/records/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate134.errors = vErrors;
return errors === 0;
}

exports.decideRecords = validate135;
const schema136 = {"type":"object","properties":{"lines":{"type":"array","minItems":1,"maxItems":1000,"items":{"type":"integer","minimum":1},"description":"Of the records, as the list of conflicts has them."}},"required":["lines"]};

function validate135(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.lines === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "lines"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.lines !== undefined){
let data0 = data.lines;
if(Array.isArray(data0)){
if(data0.length > 1000){
const err1 = {instancePath:instancePath+"/lines",schemaPath:"#/properties/lines/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/lines",schemaPath:"#/properties/lines/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err3 = {instancePath:instancePath+"/lines/" + i0,schemaPath:"#/properties/lines/items/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 1 || isNaN(data1)){
const err4 = {instancePath:instancePath+"/lines/" + i0,schemaPath:"#/properties/lines/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
}
else {
const err5 = {instancePath:instancePath+"/lines",schemaPath:"#/properties/lines/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate135.errors = vErrors;
return errors === 0;
}

exports.settleDifferences = validate136;
const schema137 = {"type":"object","properties":{"kind":{"type":"string","enum":["both","unknown","there","missingHere","all"],"description":"Class of the users; a user with several differences is in the first that fits."},"choice":{"type":"string","enum":["theirs","ours"],"description":"For the rule of the import, where both sides have a value."}},"required":["kind","choice"]};

function validate136(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kind === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "kind"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.choice === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "choice"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.kind !== undefined){
let data0 = data.kind;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!(((((data0 === "both") || (data0 === "unknown")) || (data0 === "there")) || (data0 === "missingHere")) || (data0 === "all"))){
const err3 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/enum",keyword:"enum",params:{allowedValues: schema137.properties.kind.enum}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.choice !== undefined){
let data1 = data.choice;
if(typeof data1 !== "string"){
const err4 = {instancePath:instancePath+"/choice",schemaPath:"#/properties/choice/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!((data1 === "theirs") || (data1 === "ours"))){
const err5 = {instancePath:instancePath+"/choice",schemaPath:"#/properties/choice/enum",keyword:"enum",params:{allowedValues: schema137.properties.choice.enum}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate136.errors = vErrors;
return errors === 0;
}

exports.revealUser = validate137;
const schema138 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":256}},"required":["userId"]};

function validate137(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err1 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate137.errors = vErrors;
return errors === 0;
}

exports.searchUsers = validate138;
const schema139 = {"type":"object","properties":{"text":{"type":"string","maxLength":256,"description":"An id, an email or a phone number; if no user has it, the beginning of an email or a phone number. Left out: all, newest first."},"limit":{"type":"integer","minimum":1,"maximum":100},"paginationToken":{"type":"string"}},"required":[]};

function validate138(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.text !== undefined){
let data0 = data.text;
if(typeof data0 === "string"){
if(data0.length > 256){
const err0 = {instancePath:instancePath+"/text",schemaPath:"#/properties/text/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath:instancePath+"/text",schemaPath:"#/properties/text/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.limit !== undefined){
let data1 = data.limit;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err2 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 100 || isNaN(data1)){
const err3 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1 < 1 || isNaN(data1)){
const err4 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
if(data.paginationToken !== undefined){
if(typeof data.paginationToken !== "string"){
const err5 = {instancePath:instancePath+"/paginationToken",schemaPath:"#/properties/paginationToken/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate138.errors = vErrors;
return errors === 0;
}

exports.showUser = validate139;
const schema140 = {"type":"object","properties":{"userId":{"type":"string","minLength":1,"maxLength":256}},"required":["userId"]};

function validate139(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.userId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userId"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.userId !== undefined){
let data0 = data.userId;
if(typeof data0 === "string"){
if(data0.length > 256){
const err1 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/maxLength",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate139.errors = vErrors;
return errors === 0;
}

exports.consoleHistory = validate140;
const schema141 = {"type":"object","properties":{"paginationToken":{"type":"string"}},"required":[]};

function validate140(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.paginationToken !== undefined){
if(typeof data.paginationToken !== "string"){
const err0 = {instancePath:instancePath+"/paginationToken",schemaPath:"#/properties/paginationToken/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate140.errors = vErrors;
return errors === 0;
}

